/** The source of a regular expression for run ids: the start date and four random characters. */
export const RUN_ID = String.raw`\d{4}-[0-9a-z]{4}`;
