/** A text file, unchanged. The bundler and the test runner both import it this way. */
declare module "*.md?raw" {
  const text: string;
  export default text;
}
