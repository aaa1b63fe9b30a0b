import type { CallToolResult } from '@modelcontextprotocol/server'
import { ApiError, WorkspaceServiceError } from '../../client/src/index.ts'
import { ToolError } from './tool.ts'

/** What a model can do about an error, by its code. */
const ADVICE: Readonly<Record<string, string>> = {
  object_not_found: 'It does not exist, or it is not shared with this connection. Use search to find ids.',
  restricted_resource: 'The token does not have the capability for this. Ask the person to grant it, or do something else.',
  unauthorized: 'The token is not valid. Ask the person for a new one.',
  rate_limited: 'Wait before the next call.',
  conflict_error: 'Somebody else changed the record at the same time. Read it again, then repeat the call.',
}

/**
 * An error as the result of a tool, so that the model can correct its call.
 * @throws the error again, if it is a fault of this program
 */
export function failureOf(error: unknown): CallToolResult {
  if (error instanceof ToolError) return resultOf(error.message)
  if (error instanceof ApiError) {
    const advice = ADVICE[error.code]
    return resultOf(`${error.code}: ${inWordsOfTools(error.message)}${advice === undefined ? '' : ` ${advice}`}`)
  }
  if (error instanceof WorkspaceServiceError) return resultOf(`${error.code}: ${error.message}`)
  throw error
}

/** Locations in requests, and what the tools call them. */
const LOCATIONS = [
  ['body failed validation: ', ''],
  ['body.update_content.content_updates', 'replace'],
  ['.old_str', '.old'],
  ['.new_str', '.new'],
  ['body.insert_content.content', 'insert'],
  ['body.insert_content.after', 'after'],
  ['body.filter.and', 'where'],
  ['body.filter.or', 'where'],
] as const

function inWordsOfTools(message: string): string {
  return LOCATIONS.reduce((text, [location, argument]) => text.replaceAll(location, argument), message)
}

function resultOf(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}
