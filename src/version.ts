/** Put in by the build, from package.json; tests run the sources without one. */
declare const __VERSION__: string;

export const VERSION: string = typeof __VERSION__ === "string" ? __VERSION__ : "0.0.0-source";
