import { z } from 'zod'
import { clientOperations } from '../../generated/client_operations.ts'
import { operations as contractOperations } from '../../generated/operations.ts'
import type { WorkspaceClient } from '../../client/src/index.ts'
import type { DescribedContract } from './contract.ts'
import { bodyLines, parameterLines, summaryOf } from './contract.ts'
import { portion } from './texts.ts'
import { defineTool, ToolError, type AssistantTool, type ToolOperation } from './tool.ts'

const ids = Object.keys(clientOperations) as ToolOperation[]
/** Sign-in in a browser, streams and forms make no sense as tools. */
const callable = ids.filter((id) => contractOperations[id].tag !== 'OAuth' && id !== 'sendFileUpload')

const callInput = z.object({
  path: z.record(z.string(), z.string()).optional().describe('Path parameters'),
  query: z.record(z.string(), z.unknown()).optional().describe('Query parameters'),
  body: z.record(z.string(), z.unknown()).optional().describe('Members of the request body'),
})

/** A tool for each operation of the contract, named by its id. */
export function allOperations(document: DescribedContract): AssistantTool[] {
  return callable.map((id) =>
    defineTool({
      name: id,
      title: summaryOf(document, id),
      description: [summaryOf(document, id), parameterLines(document, id), bodyLines(document, id)].filter(Boolean).join('\n'),
      operations: [id],
      input: callInput,
      run: ({ client }, input) => called(client, id, input),
    }),
  )
}

/** Two tools for the whole contract: their descriptions need few tokens. */
export function compactOperations(document: DescribedContract): AssistantTool[] {
  const findOperations = defineTool({
    name: 'find_operations',
    title: 'Find operations',
    description:
      'Finds operations of the API by words, or lists all of them. With the id of one, returns its parameters and the members of its body.',
    operations: [],
    input: z.object({ query: z.string().default('').describe('Words such as "move page", or the id of an operation') }),
    run: async (_context, { query }) => {
      const exact = callable.find((id) => id.toLowerCase() === query.trim().toLowerCase())
      if (exact)
        return JSON.stringify({
          id: exact,
          summary: summaryOf(document, exact),
          parameters: parameterLines(document, exact),
          body: bodyLines(document, exact),
        })
      const words = query.toLowerCase().split(/\W+/).filter(Boolean)
      const texts = callable.map((id) => ({ id, summary: summaryOf(document, id) }))
      const found = texts.filter(({ id, summary }) => words.every((word) => `${id} ${summary}`.toLowerCase().includes(word)))
      return JSON.stringify(found)
    },
  })
  const callOperation = defineTool({
    name: 'call_operation',
    title: 'Call an operation',
    description: 'Calls an operation of the API. Use find_operations first for its id, parameters and body.',
    operations: callable,
    input: callInput.extend({ operation: z.string().describe('Id of the operation') }),
    run: ({ client }, { operation, ...input }) => {
      const id = callable.find((one) => one.toLowerCase() === operation.toLowerCase())
      if (id === undefined) throw new ToolError(`operation: unknown: ${JSON.stringify(operation)}. Use find_operations.`)
      return called(client, id, input)
    },
  })
  return [findOperations, callOperation]
}

async function called(client: WorkspaceClient, id: ToolOperation, input: z.infer<typeof callInput>): Promise<string> {
  const parts = Object.fromEntries(Object.entries(input).filter(([, part]) => part !== undefined))
  // The operation is known only here, so the compiler cannot check its input; the client and the service do.
  const response: unknown = await client.call(id as 'search', parts as never)
  const { part, next } = portion(JSON.stringify(response), 0)
  return next === undefined ? part : `${part}\n[The response was cut. Ask for less, for example with a smaller page_size.]`
}
