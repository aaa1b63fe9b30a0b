/** Paths defined by RFC 8414 and RFC 9728. */
export const SERVER_METADATA_PATH = '/.well-known/oauth-authorization-server'
export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource'
