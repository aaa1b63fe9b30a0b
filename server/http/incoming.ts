import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * What the chain takes: the runtime's own request and response. Those of Express, which serves the pages, are such ones too; there
 * the target stands in a place of its own, because parts of `url` are taken off on the way.
 */
export interface Request extends IncomingMessage {
  readonly originalUrl?: string
}

export type Response = ServerResponse

/** 500 KB, read as 500 × 1024 so that no caller's reading of "KB" is refused early. */
export const JSON_BODY_BYTES_MAX = 512_000

/** The target of a request as it came. */
export function targetOf(request: Request): string {
  return request.originalUrl ?? request.url ?? ''
}

/** The method of a request that has come in; only those that are sent from here may have none. */
export function methodOf(request: Request): string {
  return request.method ?? ''
}
