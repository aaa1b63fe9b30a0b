import { faultsIn, type Fault } from '../fault.ts'

const reach = ['agents/tools.test.ts']
const embedded = ['agents/embedded.test.ts']
const endpoint = ['runtimes/model_endpoint.test.ts', 'runtimes/model_endpoint_tools.test.ts']

/** Tools of agents in a workspace, and the parts that generate their responses. */
export const agentTools: readonly Fault[] = [
  ...faultsIn('domain/agents/tools/reach.ts', reach, [
    [
      'agents of the workspace see private pages of all members',
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
      'a tool finds hidden pages by their titles',
      'const open = await reach.among([...visible], ',
      'const open = await reach.among(visible.size < 0 ? [] : alike.map(({ id }) => id), ',
    ],
    [
      'a tool writes with read access',
      'if ((await reach.among([page.id], role)).has(page.id)) return { page }',
      "if ((await reach.among([page.id], 'reader')).has(page.id)) return { page }",
    ],
    [
      'a tool reads pages in the trash',
      'block.inTrash || (await isBelowTrash(scope.db, scope.actor.workspaceId, id))',
      'block.inTrash',
    ],
  ]),
  ...faultsIn('domain/agents/tools/titles.ts', reach, [
    [
      'mentions show titles of hidden pages',
      "const open = await reach.among([...facts.titles.keys()], 'reader')",
      'const open = reach.isWide ? facts.titles : facts.titles',
    ],
  ]),
  ...faultsIn('domain/agents/tools/candidates.ts', reach, [
    ['a search of an agent finds hidden pages', "const open = await reach.among([...visible], 'reader')", 'const open = visible'],
  ]),
  ...faultsIn('domain/agents/tools/index.ts', embedded, [
    [
      'an approved change applies to a page that has the title later',
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
      'terms are found inside words',
      'this.#keys.filter((key) => words.includes(key)).length',
      'this.#keys.filter((key) => words.includes(key.trim())).length',
    ],
  ]),
  ...faultsIn('runtimes/model_endpoint/model_endpoint_runtime.ts', endpoint, [
    ['a request with a refused key is retried', 'if (!error.isTransient || pause === undefined)', 'if (pause === undefined)'],
    ['the tokens of a run have no limit', 'step < steps && this.#tokens < tokens', 'step < steps && tokens > 0'],
    ['one invalid call too many is tolerated', 'const INVALID_STEPS_MAX = 2', 'const INVALID_STEPS_MAX = 3'],
  ]),
  ...faultsIn('runtimes/model_endpoint/chat.ts', endpoint, [
    ['a truncated response counts as complete', "if (!builder.isOver) throw new ChatError('unavailable')", ''],
  ]),
  ...faultsIn('runtimes/model_endpoint/tool_step.ts', endpoint, [
    [
      'arguments of tool calls are not checked',
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
    ['the key is sent to the target of a redirect', "redirect: 'manual'", "redirect: 'follow'"],
  ]),
]
