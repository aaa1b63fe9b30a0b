import { faultsIn, type Fault } from '../fault.ts'

const reach = ['agents/tools.test.ts']
const embedded = ['agents/embedded.test.ts']
const endpoint = ['runtimes/model_endpoint.test.ts', 'runtimes/model_endpoint_tools.test.ts']

/** Tools of agents in a workspace, and the parts that generate their responses. */
export const agentTools: readonly Fault[] = [
  ...faultsIn('domain/agents/tools/reach.ts', reach, [
    [
      'private pages of everybody are open to agents for the workspace',
      "return [id, own.get(id) === 'full' ? this.#private : 0]",
      'return [id, Math.max(this.#workspace, this.#private)]',
    ],
    [
      'the weakest permission decides',
      'Math.max(named.get(id) ?? 0, wide.get(id) ?? 0) >= rankOf(role)',
      'Math.min(named.get(id) ?? 4, wide.get(id) ?? 4) >= rankOf(role)',
    ],
  ]),
  ...faultsIn('domain/agents/tools/find_reachable_page.ts', reach, [
    [
      'knowing a title gives access to a page that only others see',
      'const open = await reach.among([...visible], ',
      'const open = await reach.among(visible.size < 0 ? [] : alike.map(({ id }) => id), ',
    ],
    [
      'a page is written to with a role for reading',
      'if ((await reach.among([page.id], role)).has(page.id)) return { page }',
      "if ((await reach.among([page.id], 'reader')).has(page.id)) return { page }",
    ],
    [
      'what is in the trash is read',
      'block.inTrash || (await isBelowTrash(scope.db, scope.actor.workspaceId, id))',
      'block.inTrash',
    ],
  ]),
  ...faultsIn('domain/agents/tools/titles.ts', reach, [
    [
      'mentions name pages out of reach',
      "const open = await reach.among([...facts.titles.keys()], 'reader')",
      'const open = reach.isWide ? facts.titles : facts.titles',
    ],
  ]),
  ...faultsIn('domain/agents/tools/candidates.ts', reach, [
    ['a search finds pages out of reach', "const open = await reach.among([...visible], 'reader')", 'const open = visible'],
  ]),
  ...faultsIn('domain/agents/tools/index.ts', embedded, [
    [
      'what is approved goes to whatever is called so by then',
      'arguments: { ...call.arguments, [tool.target]: page.id }',
      'arguments: { [tool.target]: page.id, ...call.arguments }',
    ],
  ]),
  ...faultsIn('domain/agents/tools/index.ts', reach, [
    [
      'a tool needs no capability',
      'return actor.capabilities.has(capability) && reach.allows(role)',
      'return reach.allows(role) && capability !== undefined && actor !== undefined',
    ],
  ]),
  ...faultsIn('domain/agents/tools/passages.ts', embedded, [
    ['a term in a title counts as one in the text', 'const IN_TITLE = 3', 'const IN_TITLE = 1'],
  ]),
  ...faultsIn('domain/agents/terms.ts', embedded, [
    [
      'terms are found inside of words',
      'this.#keys.filter((key) => words.includes(key)).length',
      'this.#keys.filter((key) => words.includes(key.trim())).length',
    ],
  ]),
  ...faultsIn('runtimes/model_endpoint/model_endpoint_runtime.ts', endpoint, [
    ['a refused key is tried three times', 'if (!error.isTransient || pause === undefined)', 'if (pause === undefined)'],
    ['tokens have no limit', 'step < steps && this.#tokens < tokens', 'step < steps && tokens > 0'],
    ['wrong calls get one more response', 'const INVALID_STEPS_MAX = 2', 'const INVALID_STEPS_MAX = 3'],
  ]),
  ...faultsIn('runtimes/model_endpoint/chat.ts', endpoint, [
    ['half of a response counts as complete', "if (!builder.isOver) throw new ChatError('unavailable')", ''],
  ]),
  ...faultsIn('runtimes/model_endpoint/tool_step.ts', endpoint, [
    [
      'calls are executed with any arguments',
      'return given === undefined ?',
      'return given !== null ? undefined : given === undefined ?',
    ],
  ]),
  ...faultsIn('runtimes/model_endpoint/conversation.ts', endpoint, [
    [
      'a rejected call gets the message of the host',
      "return decision === 'reject' ? 'rejected by the user' : resultText(result)",
      'return decision === undefined ? resultText(result) : resultText(result)',
    ],
  ]),
  ...faultsIn('outbound/post_to_configured_host.ts', endpoint, [
    ['redirects take the key to other hosts', "redirect: 'manual'", "redirect: 'follow'"],
  ]),
]
