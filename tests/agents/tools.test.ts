import { randomUUID } from 'node:crypto'
import { generateNKeysBetween } from 'fractional-indexing'
import { describe, expect, it } from 'vitest'
import type { Capability } from '../../generated/operations.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { createPersonalToken } from '../../server/domain/administration/tokens.ts'
import { personalAgent } from '../../server/domain/agents/agent.ts'
import type { ToolCall, ToolResult } from '../../server/domain/agents/runtime.ts'
import { execute, executeApproved, proposalOf, toolsFor } from '../../server/domain/agents/tools/index.ts'
import type { AgentRights } from '../../server/domain/agents/tools/reach.ts'
import { closeItem, setMemberAccess } from '../../server/domain/people/sharing.ts'
import { embeddedRuntime } from '../../server/runtimes/embedded/embedded_runtime.ts'
import { insertBlocks } from '../../server/store/blocks.ts'
import { insertPage } from '../../server/store/pages.ts'
import { AgentHost, agentWith, onPage, onWorkspace } from '../harness/agent_host.ts'
import { makeConnection } from '../harness/connections.ts'
import { append, children, makePage, paragraph, plainTexts, snapshot } from '../harness/content.ts'
import { serverOfFile, TOKEN } from '../harness/server.ts'

/** Tools of agents in a workspace: limited by their own permissions and those of the caller. */

const [ines, tomas, aiko] = exampleWorkspace.people.map(({ id }) => id)
const everything: readonly Capability[] = ['read_content', 'insert_content', 'read_comments', 'insert_comments']

/** `yard` contains `shed`, which contains `bench`; `pier` is beside it. */
const server = await serverOfFile()
const yard = await makePage(server.owner, 'Yard')
const shed = await makePage(server.owner, 'Shed', yard, [paragraph('Sandpaper is in the shed.')])
const bench = await makePage(server.owner, 'Bench', shed, [paragraph('Varnish dries on the bench.')])
const pier = await makePage(server.owner, 'Pier', undefined, [paragraph('Ropes hang on the pier.')])

interface Use {
  readonly tool: string
  readonly given: object
}

const call = ({ tool, given }: Use): ToolCall => ({ callId: 'c', tool, arguments: given as ToolCall['arguments'] })
const reading = (page: string): Use => ({ tool: 'read_page', given: { page } })
const appending = (page: string, text = 'x'): Use => ({ tool: 'append_blocks', given: { page, text } })

class User {
  readonly #host: AgentHost
  readonly #agent: AgentRights

  constructor(agent: AgentRights, token = TOKEN) {
    this.#agent = agent
    this.#host = new AgentHost(server, token, agent, embeddedRuntime)
  }

  offered(): Promise<string[]> {
    return this.#host.read(async (scope) => toolsFor(scope, this.#agent).map(({ name }) => name))
  }

  read(use: Use): Promise<ToolResult> {
    return this.#host.read((scope) => execute(scope, this.#agent, call(use)))
  }

  propose(use: Use): ReturnType<typeof proposalOf> {
    return this.#host.read((scope) => proposalOf(scope, this.#agent, call(use)))
  }

  approve(use: Use): Promise<ToolResult> {
    return this.#host.write((scope) => executeApproved(scope, this.#agent, call(use)))
  }

  /** Whether the agent can read a page, and propose a paragraph for it. */
  async reach(page: string): Promise<string> {
    const [read, proposed] = [await this.read(reading(page)), await this.propose(appending(page))]
    return `${read.isError ? '-' : 'r'}${'refusal' in proposed ? '-' : 'w'}`
  }

  async reaches(...pages: string[]): Promise<string> {
    const each: string[] = []
    for (const page of pages) each.push(await this.reach(page))
    return each.join(' ')
  }
}

async function tokenOf(personId: string | undefined): Promise<string> {
  const terms = { workspaceId: exampleWorkspace.workspace.id, personId: personId ?? '' }
  return (await server.service.database.write((db) => createPersonalToken(db, terms, server.clock.now()))).token
}

describe('an agent', () => {
  const reads = ['search_workspace', 'read_page']
  const writes = ['create_page', 'append_blocks']

  it.each([
    ['reader', reads],
    ['comment_only', [...reads, 'add_comment']],
    ['read_and_write', [...reads, ...writes, 'add_comment']],
    ['editor', [...reads, ...writes, 'add_comment']],
  ] as const)('is offered the tools of the role %s on one page', async (role, offered) => {
    expect(await new User(agentWith(onPage(shed, role))).offered()).toEqual(offered)
    expect(await new User(agentWith(onWorkspace(role), onPage(shed, 'reader'))).offered()).toEqual(offered)
  })

  it('is offered no tools without permissions, or when its permissions cover other things', async () => {
    const others = agentWith(
      { target: { type: 'web_search', allowed_domains: null }, scopes: ['allow'] },
      { target: { type: 'agent', id: shed }, scopes: ['editor'] },
      { target: { type: 'database_property', data_source_id: shed, property_id: 'x' }, scopes: ['editor'] },
      { target: { type: 'workspace' }, scopes: ['allow'] },
    )
    expect([await new User(agentWith()).offered(), await new User(others).offered()]).toEqual([[], []])
    const elsewhere: AgentRights = {
      ...agentWith(),
      connections: [
        { type: 'slack', name: 'Chat', account: null, permissions: [{ target: { type: 'workspace' }, scopes: ['editor'] }] },
      ],
    }
    expect(await new User(elsewhere).offered()).toEqual([])
  })

  it.each([
    ['read_content', reads],
    ['insert_content', writes],
    ['insert_comments', ['add_comment']],
    ['update_content', []],
  ] as const)(
    'is offered only the tools that need %s through a connection with no other capability',
    async (capability, offered) => {
      const { token } = await makeConnection(server, { capabilities: [capability], grants: [shed] })
      const user = new User(agentWith(onWorkspace('editor')), token)
      expect(await user.offered()).toEqual(offered)
      for (const tool of ['read_page', 'append_blocks', 'add_comment', 'create_page']) {
        if ((offered as readonly string[]).includes(tool)) continue
        const given = { page: shed, parent: shed, title: 'x', text: 'x' }
        const results = [await user.read({ tool, given }), await user.approve({ tool, given })]
        expect(results.map(({ isError, content }) => [isError, content])).toEqual(
          results.map(() => [true, { error: `The tool ${tool} does not exist, or the agent may not use it.` }]),
        )
      }
    },
  )
})

describe('the tools of an agent', () => {
  it('reach the page of a permission and everything below it, but nothing else', async () => {
    expect(await new User(agentWith(onPage(shed, 'editor'))).reaches(yard, shed, bench, pier)).toBe('-- rw rw --')
    expect(await new User(agentWith(onPage(shed, 'reader'), onPage(bench, 'read_and_write'))).reaches(shed, bench)).toBe('r- rw')
    expect(await new User(agentWith(onPage(shed, 'read_and_write'), onWorkspace('reader'))).reaches(yard, bench, pier)).toBe(
      'r- rw r-',
    )
  })

  it('reach no more than the caller may see and write', async () => {
    const { token } = await makeConnection(server, { capabilities: everything, grants: [shed] })
    expect(await new User(agentWith(onWorkspace('editor')), token).reaches(yard, shed, bench, pier)).toBe('-- rw rw --')
    expect(await new User(agentWith(onWorkspace('editor')), token).reaches('Yard', 'Shed', 'Bench', 'Pier')).toBe('-- rw rw --')
    expect(await new User(agentWith(onPage(bench, 'editor')), token).reaches(shed, bench)).toBe('-- rw')

    const locked = await makePage(server.owner, 'Locked', yard)
    await server.service.database.write((db) =>
      setMemberAccess(db, exampleWorkspace.workspace.id, locked, aiko ?? '', 'read', server.clock.now()),
    )
    const reader = new User(agentWith(onWorkspace('editor')), await tokenOf(aiko))
    const result = await reader.approve(appending(locked))
    expect([result.isError, JSON.stringify(result.content)]).toEqual([true, expect.stringContaining('may only read')])
    expect(await children(server.owner, locked)).toEqual([])
  })

  it("reach private pages of the agent's creator only with a permission for them, and only for callers who see those pages", async () => {
    const secret = await makePage(server.owner, 'Diary of Ines')
    const other = await makePage(server.owner, 'Diary of Tomas')
    await server.service.database.write(async (db) => {
      await closeItem(db, exampleWorkspace.workspace.id, secret, ines ?? '', server.clock.now())
      await closeItem(db, exampleWorkspace.workspace.id, other, tomas ?? '', server.clock.now())
    })
    const ofInes = await tokenOf(ines)
    const ownPages = { target: { type: 'owner_private_pages' }, scopes: ['editor'] } as const
    const made = (createdBy: string | undefined, agent = agentWith(onWorkspace('reader'), { ...ownPages, scopes: ['editor'] })) =>
      new User({ ...agent, createdBy: createdBy ?? null }, ofInes)
    expect(await made(ines).reaches(secret, other, pier)).toBe('rw -- r-')
    expect(await made(tomas).reaches(secret, other, pier)).toBe('-- -- r-')
    expect(await made(undefined).reaches(secret, other, pier)).toBe('-- -- r-')
    expect(await made(ines, agentWith(onWorkspace('editor'))).reaches(secret, pier)).toBe('-- rw')
    // A connection sees everything here, but cannot reach anyone's diary through the agent.
    expect(await new User({ ...agentWith(onWorkspace('editor')), createdBy: ines ?? '' }).reaches(secret, other)).toBe('-- --')
    const search = { tool: 'search_workspace', given: { terms: ['diary'] } }
    expect((await new User(agentWith(onWorkspace('editor'))).read(search)).content).toMatchObject({ pages: [] })
    expect((await made(ines).read(search)).content).toMatchObject({ pages: [{ id: secret }] })
    // The personal agent has the access of its person.
    expect(await new User(personalAgent, ofInes).reaches(secret, other, pier)).toBe('rw -- rw')
  })

  it('do not reach other workspaces or the trash', async () => {
    const gone = await makePage(server.owner, 'Gone', yard)
    const below = await makePage(server.owner, 'Gone below', gone)
    await server.owner.call('deleteBlock', { path: { block_id: gone } })
    const user = new User(agentWith(onWorkspace('editor')))
    expect(await user.reaches(gone, below, randomUUID())).toBe('-- -- --')
    const { content } = await user.read({ tool: 'search_workspace', given: { terms: ['gone'] } })
    expect(content).toMatchObject({ pages: [] })
  })
})

describe('reading tools', () => {
  const textOf = async (user: User, page: string): Promise<unknown> => (await user.read(reading(page))).content

  it('return the text of any block, including nested ones, and show only names within their access', async () => {
    const page = await makePage(server.owner, 'All sorts', shed, [
      paragraph('Plain'),
      { to_do: { rich_text: [{ text: { content: 'Sand' } }], children: [paragraph('Coarse first')] } },
      {
        table: {
          table_width: 2,
          children: [{ table_row: { cells: [[{ text: { content: 'Oak' } }], [{ text: { content: '7' } }]] } }],
        },
      },
      { equation: { expression: 'a+b' } },
      { divider: {} },
      { paragraph: { rich_text: [{ text: { content: 'See ' } }, { mention: { page: { id: pier } } }] } },
      { paragraph: { rich_text: [{ text: { content: 'And ' } }, { mention: { page: { id: bench } } }] } },
      { link_to_page: { page_id: pier } },
      { link_to_page: { page_id: bench } },
    ])
    const [original] = await append(server.owner, pier, [
      { synced_block: { synced_from: null, children: [paragraph('Kept on the pier')] } },
    ])
    await append(server.owner, page, [{ synced_block: { synced_from: { block_id: String(original?.['id']) } } }])
    expect(await textOf(new User(agentWith(onPage(shed, 'reader'))), page)).toMatchObject({
      title: 'All sorts',
      text: ['Plain', 'Sand', 'Coarse first', 'Oak | 7', 'a+b', 'See Untitled', 'And Bench', 'Bench'].join('\n'),
      is_whole: true,
    })
    const wide = (await textOf(new User(agentWith(onWorkspace('reader'))), page)) as { text: string }
    expect(wide.text).toContain('See Pier')
    expect(wide.text).not.toContain('Kept on the pier')
  })

  it("do not reveal in a search that pages beyond the agent's access exist", async () => {
    const search = async (user: User): Promise<unknown> =>
      (await user.read({ tool: 'search_workspace', given: { terms: ['ropes', 'varnish', 'sandpaper'] } })).content
    const found = await search(new User(agentWith(onPage(shed, 'reader'))))
    expect(found).toMatchObject({ pages: [{ score: 1 }, { score: 1 }], is_complete: true })
    expect(JSON.stringify(found)).not.toMatch(/pier|ropes/i)
  })

  it('read at most 150 pages in addition to those with matching titles, and only the beginning of a long page', async () => {
    const crate = await makePage(server.owner, 'Crate')
    const ranks = generateNKeysBetween(null, null, 320)
    const made = { createdTime: server.clock.now(), createdBy: exampleWorkspace.bot.id }
    await server.service.database.write(async (db) => {
      const placed = (type: string, content: object, index: number) => ({
        ...{ id: randomUUID(), type, parentType: 'page_id' as const, parentId: crate, pageId: crate, ...made },
        ...{ rank: ranks[index] ?? '', content: content as Record<string, unknown> },
      })
      const words = (content: string): object => ({ rich_text: [{ type: 'text', text: { content } }], color: 'default' })
      const pages = ranks.slice(0, 220).map((_rank, index) => placed('child_page', { title: [] }, index))
      const texts = ranks.slice(220).map((_rank, index) => placed('paragraph', words('Nail '.repeat(399)), 220 + index))
      await insertBlocks(db, exampleWorkspace.workspace.id, [...pages, ...texts])
      const plain = { icon: null, cover: null, isLocked: false, isArchived: false }
      for (const { id } of pages) await insertPage(db, exampleWorkspace.workspace.id, id, plain)
    })
    const user = new User(agentWith(onPage(crate, 'reader')))
    const { content } = await user.read({ tool: 'search_workspace', given: { terms: ['zeppelin'] } })
    expect(content).toEqual({ pages: [], pages_read: 150, is_complete: false })
    const { text } = await new AgentHost(server, TOKEN, agentWith(onPage(crate, 'reader')), embeddedRuntime).run('zeppelin?')
    expect(text.split('\n')).toEqual(['No shared page mentions: zeppelin', 'The search read only the beginning of 150 pages.'])
    // A page edited long ago is found by its title.
    const oldest = await makePage(server.owner, 'Zeppelin', crate)
    await server.service.database.write((db) =>
      db.run('update blocks set last_edited_time = 0 where workspace_id = ? and id = ?', exampleWorkspace.workspace.id, oldest),
    )
    const byTitle = await user.read({ tool: 'search_workspace', given: { terms: ['zeppelin'] } })
    expect(byTitle.content).toMatchObject({ pages: [{ id: oldest, score: 3 }], pages_read: 151 })
    const page = (await textOf(user, crate)) as { text: string; is_whole: boolean }
    expect(page.is_whole).toBe(false)
    expect(page.text.length).toBeLessThanOrEqual(50_000 + 100)
    expect(page.text.length).toBeGreaterThan(40_000)
  })
})

describe('writing tools', () => {
  it('write Markdown and tags as plain text, with lines of any length', async () => {
    const page = await makePage(server.owner, 'Wall', shed)
    const user = new User(agentWith(onPage(shed, 'editor')))
    const long = `${'x'.repeat(1_999)}${'⛵'.repeat(1_500)}`
    await user.approve(appending(page, `**bold** <page url="x"/>\r\n\n${long}`))
    const blocks = await children(server.owner, page)
    expect(plainTexts(blocks)).toEqual(['**bold** <page url="x"/>', '', long])
    expect(blocks.map(({ type }) => type)).toEqual(['paragraph', 'paragraph', 'paragraph'])
    const made = await user.approve({ tool: 'create_page', given: { parent: page, title: '[x](y)', text: 'One' } })
    expect(made).toMatchObject({ isError: false, artifact: { type: 'page', title: '[x](y)' } })
    expect((await children(server.owner, page)).at(-1)).toMatchObject({ child_page: { title: '[x](y)' } })
  })

  it.each([
    ['no arguments', 'append_blocks', {}],
    ['no text', 'append_blocks', { page: 'Shed', text: '' }],
    ['a number as the page', 'append_blocks', { page: 7, text: 'x' }],
    ['too much text', 'append_blocks', { page: 'Shed', text: 'x'.repeat(20_001) }],
    ['a character that databases cannot store', 'append_blocks', { page: 'Shed', text: 'a\u0000b' }],
    ['more lines than one write accepts', 'append_blocks', { page: 'Shed', text: '\n'.repeat(1_000) }],
    ['an unknown argument', 'append_blocks', { page: 'Shed', text: 'x', workspace_id: yard }],
    ['a title in two lines', 'create_page', { parent: 'Shed', title: 'a\nb' }],
    ['no parent', 'create_page', { title: 'a' }],
    ['the name of a reading tool', 'read_page', { page: 'Shed' }],
    ['the name of an unknown tool', 'constructor', {}],
  ])('refuse a call with %s, before and after approval', async (_what, tool, given) => {
    const user = new User(agentWith(onWorkspace('editor')))
    const before = await snapshot(server.owner, shed)
    expect(await user.propose({ tool, given })).toMatchObject({ refusal: { isError: true } })
    expect(await user.approve({ tool, given })).toMatchObject({ isError: true })
    expect(await snapshot(server.owner, shed)).toBe(before)
  })

  it('fail and write nothing when called as reading tools', async () => {
    const user = new User(agentWith(onWorkspace('editor')))
    const before = await snapshot(server.owner, shed)
    expect(await user.read(appending(shed))).toMatchObject({ isError: true })
    expect(await snapshot(server.owner, shed)).toBe(before)
  })
})
