import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createWorkspaceClient, type ClientOptions } from '../../client/src/index.ts'
import type { AssistantTool } from './tool.ts'
import { toolServer } from './tool_server.ts'
import { UndoEntries } from './undo_log.ts'

/**
 * Serves the tools over standard input and output, for a client that starts this program.
 * @returns how to stop
 */
export function serveOverStdio(
  options: ClientOptions,
  version: string,
  tools?: readonly AssistantTool[],
): { close(): Promise<void> } {
  const client = createWorkspaceClient(options)
  const undo = new UndoEntries().ofCaller('')
  return serveStdio(() => toolServer({ version, client, undo, ...(tools && { tools }) }))
}
