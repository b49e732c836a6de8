/** The public names of these formats: an in-toto statement, and a test result predicate. */
export const STATEMENT_TYPE = "https://in-toto.io/Statement/v1";
export const PREDICATE_TYPE = "https://in-toto.io/attestation/test-result/v0.1";
/** Version of our own part. */
export const RECEIPT_VERSION = 2;
