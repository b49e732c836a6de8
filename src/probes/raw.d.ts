/** Programs as texts: they run in processes of others, never in ours. */
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
