// The names of fields and headers with secret values, in lower case.
// Made from spec/ by `npm run generate`. Do not edit.

/** Names of secrets only. */
export const secretFields: readonly string[] = ['access_token', 'code_verifier', 'csrf_token', 'refresh_token', 'token', 'verification_token', 'x-service-signature'];

/** Names that fields without secrets have, too: operation -> names that are secrets in its request. */
export const secretsOfRequests: Readonly<Record<string, readonly string[]>> = {
  createToken: ['code'],
};
