/** Compiled, never run: the guarantees of generated/types.ts for users. `npm run typecheck` is the test. */

import type { AnyJson, Block, BlockRequest, components, operations } from '../../generated/types.ts'
import { operations as table, type ListOperationId, type OperationId } from '../../generated/operations.ts'
import { errorCodes } from '../../generated/error_codes.ts'

/** A tagged union narrows by its tag. */
export function checked(block: Block): boolean {
  return block.type === 'to_do' && block.to_do.checked
}

/** A payload union accepts each variant, with and without its tag. */
export const requests: BlockRequest[] = [
  { paragraph: { rich_text: [{ text: { content: 'Bring the ladder' } }] } },
  { type: 'divider', divider: {} },
  // @ts-expect-error a tag that belongs to another payload
  { type: 'divider', paragraph: { rich_text: [] } },
  // @ts-expect-error an unknown color
  { paragraph: { rich_text: [], color: 'mauve' } },
]

/** Files are blobs. */
export const upload: components['schemas']['FileUploadSendRequest']['file'] = new Blob(['dock plan'])

export const json: AnyJson = { any: [1, null, { depth: true }] }

type Status = keyof operations['retrieveBlock']['responses']
export const status: Status = 404

/** The types of the tables are literals. */
export const path: '/v1/users/me' = table.retrieveMe.path
export const notFound: 404 = errorCodes.object_not_found.status
export const list: ListOperationId = 'listUsers'
// @ts-expect-error this operation is not a list
export const noList: ListOperationId = 'retrieveMe' satisfies OperationId
