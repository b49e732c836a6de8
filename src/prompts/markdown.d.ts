/** A text file, as it is; the bundler and the test runner both read it so. */
declare module "*.md?raw" {
  const text: string;
  export default text;
}
