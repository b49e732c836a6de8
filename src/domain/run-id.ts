/** What a run is called: the day it began, and four characters by chance. As the source of an expression. */
export const RUN_ID = String.raw`\d{4}-[0-9a-z]{4}`;
