import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { embeddedRuntime } from '../../server/runtimes/embedded/embedded_runtime.ts'
import { AgentHost, agentWith, onPage, onWorkspace, type Run } from '../harness/agent_host.ts'
import { commentTexts } from '../harness/comments.ts'
import { makeConnection } from '../harness/connections.ts'
import { children, makePage, paragraph, plainTexts, snapshot } from '../harness/content.ts'
import { idOf } from '../harness/json.ts'
import { serverOfFile, TOKEN } from '../harness/server.ts'

/** The embedded runtime: passages of pages for questions, and proposals for a few quoted forms. */

const server = await serverOfFile({ BOOTSTRAP_SAMPLE: 'empty' })
const harbour = await makePage(server.owner, 'Harbour rules', undefined, [
  paragraph('Vessels give way to the ferry at the harbour mouth.'),
  paragraph('Quiet hours begin at ten.'),
  { toggle: { rich_text: [{ text: { content: 'Moorings' } }], children: [paragraph('Café berths are for ferry guests.')] } },
])
server.clock.advance(60_000)
const tides = await makePage(server.owner, 'Ferry timetable', harbour, [paragraph('The ferry leaves at six.')])
await makePage(server.owner, 'Twin', harbour)
await makePage(server.owner, 'Twin', tides)
await makePage(server.owner, 'Long log', harbour, [paragraph(`Zeppelin ${'over the estuary '.repeat(60)}`)])
await makePage(server.owner, '日誌', harbour, [paragraph('東京の港に船が着いた。')])
const host = new AgentHost(
  server,
  TOKEN,
  agentWith(onPage(harbour, 'read_and_write'), onWorkspace('comment_only')),
  embeddedRuntime,
)

const address = (id: string, slug = ''): string => `${server.url}/${slug}${id.replaceAll('-', '')}`

describe('the embedded runtime, asked a question', () => {
  it('returns the best passages by terms in titles and texts, each with its title and address', async () => {
    const { text, steps } = await host.run('When does the FERRY leave the harbour?')
    expect(text.split('\n')).toEqual([
      'Found 3 passages:',
      // Three points for the title, one each for `ferry` and `harbour` in the text.
      `1. "Vessels give way to the ferry at the harbour mouth." — Harbour rules (${address(harbour, 'Harbour-rules-')})`,
      `2. "Café berths are for ferry guests." — Harbour rules (${address(harbour, 'Harbour-rules-')})`,
      `3. "The ferry leaves at six." — Ferry timetable (${address(tides, 'Ferry-timetable-')})`,
    ])
    expect(steps).toEqual(['thinking', 'search_workspace', 'message', 'usage'])
  })

  it('searches for each distinct word once, without short words and stop words', async () => {
    const thought = async (message: string): Promise<string | undefined> =>
      (await host.run(message)).outputs.flatMap((output) => (output.type === 'thinking' ? [output.text] : []))[0]
    expect(await thought('What did we ship to the ferry? The Ferry!')).toBe('Terms: ship, ferry')
    expect(await thought('Wann fährt die Fähre über den Fluss?')).toBe('Terms: fährt, fähre, fluss')
    // In English, `war` and `die` are ordinary words.
    expect(await thought('Which ships did the war sink, and who would die?')).toBe('Terms: ships, war, sink, die')
    expect(await thought('東京の港はどこですか')).toBe('Terms: 東京, どこ, です')
  })

  it.each([
    ['ignores accents and case', 'CAFE', '1. "Café berths are for ferry guests." — Harbour rules'],
    ['searches scripts without spaces', '東京は?', '1. "東京の港に船が着いた。" — 日誌'],
    ['quotes the beginning of a page if only its title matches', 'timetable', '1. "The ferry leaves at six." — Ferry timetable'],
    ['quotes the title of a page without text', 'twin', '1. "Twin" — Twin'],
  ])('%s', async (_what, message, line) => {
    expect((await host.run(message)).text.split('\n')[1]).toContain(line)
  })

  it('ends a passage between words, before 300 characters', async () => {
    const { text } = await host.run('zeppelin')
    const [, passage = ''] = /"([^"]+)"/.exec(text) ?? []
    expect(passage).toMatch(/^Zeppelin over the estuary .* (?:over|the|estuary)$/)
    expect(passage.length).toBeGreaterThan(280)
    expect(passage.length).toBeLessThanOrEqual(300)
  })

  it('searches text attachments like pages, and gives no address for them', async () => {
    const attachments = [
      { name: 'crew.txt', contentType: 'text/plain', text: 'Nobody\nThe wheelhouse is locked.' },
      { name: 'dock.png', contentType: 'image/png', text: undefined },
    ]
    const { text } = await host.run('wheelhouse?', { message: { text: 'wheelhouse?', promptContext: undefined, attachments } })
    expect(text).toBe('Found 1 passage:\n1. "The wheelhouse is locked." — crew.txt')
  })

  it('scores a term in a title like three occurrences in the text', async () => {
    const { text } = await host.run('timetable, vessels, quiet')
    expect(text.match(/(?<=— )[^(]+(?= \()/g)).toEqual(['Ferry timetable', 'Harbour rules', 'Harbour rules'])
  })

  it('quotes two passages from each of the three best pages; at equal scores, pages edited later and text nearer the start come first', async () => {
    const shelf = await makePage(server.owner, 'Shelf', harbour)
    const note = async (title: string, ...texts: string[]): Promise<string> => {
      server.clock.advance(60_000)
      return makePage(
        server.owner,
        title,
        shelf,
        texts.map((text) => paragraph(text)),
      )
    }
    await note('First log', 'Gull one.')
    await note('Second log', 'Gull two, gull again.', 'Gull and petrel.', 'Petrel alone.', 'Gull and petrel once more.')
    await note('Third log', 'Gull three.')
    await note('Fourth log', 'Gull four.')
    const { text } = await host.run('gull, petrel')
    expect(text.split('\n').map((line) => line.replace(/ \(http.*/, ''))).toEqual([
      'Found 4 passages:',
      '1. "Gull and petrel." — Second log',
      '2. "Gull and petrel once more." — Second log',
      '3. "Gull four." — Fourth log',
      '4. "Gull three." — Third log',
    ])
    const twins = [await note('Fifth log', 'Auk.')]
    for (const title of ['Sixth log', 'Seventh log']) twins.push(await makePage(server.owner, title, shelf, [paragraph('Auk.')]))
    const titles = new Map(twins.map((id, index) => [id, ['Fifth', 'Sixth', 'Seventh'][index]]))
    // With equal edit times, they are sorted by id.
    expect((await host.run('auk')).text.match(/\w+(?= log \()/g)).toEqual(twins.toSorted().map((id) => titles.get(id)))
  })

  it('also searches for the subject of the run, without showing the terms of the subject', async () => {
    const about = (text: string, subject: string): Promise<Run> =>
      host.run(text, { message: { text, promptContext: undefined, attachments: [], subject } })
    const found = await about('Look into it.', 'The timetable')
    expect(found.text.split('\n')[1]).toContain('1. "The ferry leaves at six." — Ferry timetable')
    expect(found.outputs[0]).toEqual({ type: 'thinking', text: 'Terms: look' })
    expect((await about('Look into it.', 'Submarine dock')).text).toBe('No shared page mentions: look')
    const silent = await about('What is it?', 'Submarine dock')
    expect([silent.steps, silent.text]).toEqual([
      ['search_workspace', 'message', 'usage'],
      'No shared page says more about this.',
    ])
  })

  it('matches terms as whole words', async () => {
    expect((await host.run('ferr erry vessel')).text).toBe('No shared page mentions: ferr, erry, vessel')
  })

  it('explains an empty result, and asks for a question when the message contains none', async () => {
    expect((await host.run('Where is the submarine dock?')).text).toBe('No shared page mentions: submarine, dock')
    const { steps, text } = await host.run('What is it?')
    expect(steps).toEqual(['message', 'usage'])
    expect(text).toContain('What would you like to know?')
  })

  it('ignores the instructions of the agent', async () => {
    const agent = { name: 'Pirate', instructions: 'Answer everything with Arrr. Search nothing.' }
    expect((await host.run('ferry')).text).toBe((await host.run('ferry', { agent })).text)
  })

  it('streams a message one line at a time', async () => {
    const partials = async (message: string): Promise<string[]> =>
      (await host.run(message)).outputs.flatMap((output) => (output.type === 'partial' ? [output.text] : []))
    expect(await partials('submarine')).toEqual(['No shared page mentions: submarine'])
    const [first, ...rest] = await partials('timetable')
    expect([first, rest.length]).toEqual(['Found 1 passage:', 1])
  })

  it('counts one token for every four bytes of each text', async () => {
    const { outputs } = await host.run('Submarine?', {
      message: { text: 'Submarine?', promptContext: 'é', attachments: [] },
      history: [{ role: 'user', text: 'Hi' }],
    })
    // The result of the search: {"pages":[],"pages_read":6,"is_complete":true}.
    const [instructions, context, history, message, found] = [3, 1, 1, 3, 12]
    // Terms: submarine; No shared page mentions: submarine.
    const [thought, response] = [4, 9]
    const inputTokens = instructions + context + history + message + found
    expect(outputs.at(-1)).toEqual({ type: 'usage', inputTokens, outputTokens: thought + response })
  })
})

describe('the embedded runtime, asked for a change', () => {
  const last = async (parent: string): Promise<string | undefined> => plainTexts(await children(server.owner, parent)).at(-1)

  it('creates a page only after approval, with one paragraph for each line', async () => {
    const message = 'CREATE page "Week 19" in "harbour RULES" with "One\nTwo"'
    const before = await snapshot(server.owner, harbour)
    const run = await host.run(message)
    expect(run.steps).toEqual(['propose create_page', 'message', 'usage'])
    expect(run.proposals.map(({ title }) => title)).toEqual(['Create the page Week 19 under Harbour rules'])
    expect(run.text).toContain('Create the page Week 19 under Harbour rules')
    expect(await snapshot(server.owner, harbour)).toBe(before)

    const rejected = await host.decide(message, run, 'reject')
    expect([rejected.text, rejected.steps]).toEqual(['Nothing was changed.', ['message', 'usage']])
    expect(await snapshot(server.owner, harbour)).toBe(before)

    const done = await host.decide(message, run, 'approve')
    expect(done.steps).toEqual(['message', 'usage'])
    const made = (await children(server.owner, harbour)).at(-1)
    expect(made).toMatchObject({ child_page: { title: 'Week 19' } })
    expect(plainTexts(await children(server.owner, idOf(made)))).toEqual(['One', 'Two'])
    expect(done.text).toBe(`Created the page Week 19 (${address(idOf(made), 'Week-19-')})`)
  })

  it('appends paragraphs, and writes a comment', async () => {
    const append = 'append "See the board." to "Ferry timetable"'
    const appending = await host.run(append)
    expect(appending.proposals[0]?.title).toBe('Append "See the board." to Ferry timetable')
    expect((await host.decide(append, appending, 'approve')).text).toContain('Appended to Ferry timetable (')
    expect(await last(tides)).toBe('See the board.')

    const comment = `comment "Who wrote this?" on "${tides}"`
    const commenting = await host.run(comment)
    expect(commenting.proposals[0]?.title).toBe('Comment "Who wrote this?" on Ferry timetable')
    expect((await host.decide(comment, commenting, 'approve')).text).toContain('Commented on Ferry timetable (')
    expect(await commentTexts(server.owner, tides)).toEqual(['Who wrote this?'])
  })

  it('applies an approved change to the page shown for approval, even if another page has received its title', async () => {
    const page = await makePage(server.owner, 'Notice', harbour)
    const message = 'append "Closed" to "Notice"'
    const run = await host.run(message)
    const rename = (id: string, title: string): Promise<unknown> =>
      server.owner.call('updatePage', {
        path: { page_id: id },
        body: { properties: { title: { title: [{ text: { content: title } }] } } },
      })
    await rename(page, 'Old notice')
    const other = await makePage(server.owner, 'Notice', harbour)
    await host.decide(message, run, 'approve')
    expect([await last(page), await last(other)]).toEqual(['Closed', undefined])
  })

  it.each([
    ['several pages with that title', 'append "x" to "Twin"', 'Several pages have the title "Twin". Give the id of one.', 2],
    [
      'a title that matches only part of the title of a page',
      'append "x" to "Harbour"',
      'None of the shared pages has the title "Harbour".',
      1,
    ],
    ['an unknown title', 'append "x" to "Submarine"', 'None of the shared pages has the title "Submarine".', 0],
  ])('proposes nothing for %s, and names candidate pages', async (_what, message, error, count) => {
    const { text, proposals } = await host.run(message)
    expect(proposals).toEqual([])
    const [first, ...rest] = text.split('\n')
    expect([first, rest.length]).toEqual([count === 0 ? error : `${error} Did you mean one of these?`, count])
    const narrow = new AgentHost(server, TOKEN, agentWith(onPage(harbour, 'read_and_write')), embeddedRuntime)
    expect((await narrow.run(message)).text).toBe(text)
  })

  it('without a given parent, proposes the first page in its permissions that it may write, and asks for a parent if there is none', async () => {
    const { proposals } = await host.run('create page "Loose"')
    expect(proposals[0]?.title).toBe('Create the page Loose under Harbour rules')
    const wide = new AgentHost(server, TOKEN, agentWith(onWorkspace('editor')), embeddedRuntime)
    const { token } = await makeConnection(server, { capabilities: ['read_content', 'insert_content'], grants: [tides] })
    const blind = new AgentHost(server, token, agentWith(onPage(harbour, 'editor')), embeddedRuntime)
    for (const host of [wide, blind]) {
      const run = await host.run('create page "Loose"')
      expect([run.proposals, run.text]).toEqual([[], 'Under which page? Name it: create page "Title" in "Page".'])
    }
  })

  it('reports that the page was deleted before the approval', async () => {
    const page = await makePage(server.owner, 'Driftwood', harbour)
    const message = 'append "x" to "Driftwood"'
    const run = await host.run(message)
    await server.owner.call('deleteBlock', { path: { block_id: page } })
    expect((await host.decide(message, run, 'approve')).text).toMatch(/^None of the shared pages has the title "/)
  })

  it.each([
    'Create page Week 19',
    'create page ""',
    'append "x"',
    'comment "x" to "Ferry timetable"',
    'please create page "x"',
    "create page 'x'",
  ])('proposes nothing for the malformed command %s', async (message) => {
    expect((await host.run(message)).proposals).toEqual([])
  })
})

it('the embedded runtime writes the same text for the same message, content and rights', async () => {
  const words = ['ferry', 'harbour', 'the', 'create page', '"Twin"', 'in', 'append', 'to', '東京', 'zzz', 'CAFÉ', '\n', '"', 'on']
  const message = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 8 }).map((some) => some.join(' '))
  const textOf = ({ outputs, proposals }: Run): string => JSON.stringify([outputs, proposals])
  await fc.assert(
    fc.asyncProperty(message, async (text) => {
      const [one, other] = await Promise.all([host.run(text), host.run(text)])
      expect(textOf(one)).toBe(textOf(other))
    }),
    { numRuns: 25, seed: 19 },
  )
})
