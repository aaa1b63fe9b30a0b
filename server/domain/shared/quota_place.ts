import { ServiceError } from '../../kernel/errors.ts'
import { isObject } from '../../kernel/is_object.ts'
import type { UsageKind } from '../../store/usage.ts'

/** The members of request bodies that add to a workspace's contents, by kind. An error names the first of them that the body contains. */
const MEMBERS: Readonly<Record<UsageKind, readonly string[]>> = {
  pages: ['template', 'parent'],
  blocks: [
    'children',
    'markdown',
    'template',
    'replace_content',
    'insert_content',
    'update_content',
    'replace_content_range',
    'create_database',
    'parent',
  ],
  notes: ['parent'],
  files: ['mode'],
  bytes: ['file'],
}

/** An error about a quota gets the path of the content that exceeds the quota; other errors are returned unchanged. */
export function withQuotaPlace(error: unknown, body: unknown): unknown {
  const kind = error instanceof ServiceError && error.code === 'row_limit_exceeded' ? error.additionalData?.['quota'] : undefined
  if (!(error instanceof ServiceError) || !isKind(kind) || !isObject(body)) return error
  const member = MEMBERS[kind].find((name) => body[name] !== undefined && body[name] !== null)
  const path = member === undefined ? 'body' : `body.${member}`
  return new ServiceError(error.code, {
    message: `${path} exceeds a quota: ${error.message}`,
    complaints: [{ path, claim: `exceeds a quota: ${error.message}` }],
    ...(error.additionalData && { additionalData: error.additionalData }),
    cause: error.cause,
  })
}

function isKind(kind: unknown): kind is UsageKind {
  return typeof kind === 'string' && Object.hasOwn(MEMBERS, kind)
}
