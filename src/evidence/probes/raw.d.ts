/** Programs as text: they run in other processes, never in this one. */
declare module "*.cjs?raw" {
  const text: string;
  export default text;
}
declare module "*.mjs?raw" {
  const text: string;
  export default text;
}
declare module "*.py?raw" {
  const text: string;
  export default text;
}
declare module "*.sh?raw" {
  const text: string;
  export default text;
}
