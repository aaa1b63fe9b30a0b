import { expect, it } from 'vitest'
import type { Answer } from '../harness/answers.ts'
import type { Caller } from '../harness/caller.ts'
import { append, block, children, makePage, paragraph, plainTexts, text } from '../harness/content.ts'
import { databaseOfFile } from '../harness/databases.ts'
import { columnsOf, makeDatabase as makeRows } from '../harness/databases_content.ts'
import { at, idOf, resultsOf, textAt, type JsonObject } from '../harness/json.ts'
import { killCount, REFUSALS, reportKills } from '../harness/kills.ts'
import { runService, until } from '../harness/process.ts'

/**
 * A process is killed (SIGKILL) while it writes, again and again on one database. What it had answered is there afterwards, and of
 * what it had not, each request is there as a whole or not at all.
 */

const KILLS = killCount(1)
const WRITERS = 12
const BLOCKS_MAX = 25
const ANSWERS_MAX = 53
/** Fewer would say that processes were killed before their work, not at it. */
const ANSWERS_MIN = 15 * KILLS

const database = await databaseOfFile()

/** Everything that one process was asked to write, all of it below one page. */
class Life {
  readonly page: string
  readonly counter: string
  readonly #source: string
  readonly #caller: Caller
  /** Number of blocks by the mark of a request, and which requests were answered. */
  readonly #asked = new Map<string, number>()
  readonly #answered = new Set<string>()
  #count = 0
  #lastCounted = -1

  private constructor(caller: Caller, page: string, counter: string, source: string) {
    this.#caller = caller
    this.page = page
    this.counter = counter
    this.#source = source
  }

  static async begin(caller: Caller): Promise<Life> {
    const page = await makePage(caller)
    const [counter] = await append(caller, page, [paragraph('0')])
    const { sourceId } = await makeRows(caller, page, { Cost: { number: {} }, Kind: { multi_select: {} } })
    return new Life(caller, page, idOf(counter), sourceId)
  }

  get answered(): number {
    return this.#answered.size
  }

  /** Waits until so many requests were answered, and a little longer: others are somewhere on their way. */
  async reach(answers: number): Promise<void> {
    await until(() => (this.answered >= answers ? true : undefined))
  }

  /** Writes until the process is gone. */
  async write(writer: number): Promise<void> {
    for (let turn = 0; ; turn += 1) {
      const request =
        writer === 0 ? this.#countOn : ([this.#append, this.#makeRow, this.#append, this.#makePage][turn % 4] ?? this.#append)
      const answer = await request
        .call(this, `${writer}-${turn}`, 1 + ((writer * 7 + turn * 5) % BLOCKS_MAX))
        .catch(() => undefined)
      if (answer === undefined) return
      expect([200, ...REFUSALS], answer.text).toContain(answer.status)
    }
  }

  async #append(mark: string, count: number): Promise<Answer> {
    // Two blocks and what is inside them, then plain ones.
    const nested = [block('toggle', mark, { children: [paragraph('inside'), paragraph('inside')] })]
    return this.#ask(mark, count, () =>
      this.#caller.call('appendBlockChildren', {
        path: { block_id: this.page },
        body: { children: [...nested, ...Array.from({ length: count - 1 }, () => paragraph(mark))] },
      }),
    )
  }

  async #makePage(mark: string, count: number): Promise<Answer> {
    return this.#ask(mark, count, () =>
      this.#caller.call('createPage', {
        body: {
          parent: { page_id: this.page },
          properties: { title: [text(mark)] },
          children: Array.from({ length: count }, () => paragraph(mark)),
        },
      }),
    )
  }

  /** A row with a value in two tables, a new option of the schema, and content. */
  async #makeRow(mark: string, count: number): Promise<Answer> {
    return this.#ask(mark, count, () =>
      this.#caller.call('createPage', {
        body: {
          parent: { data_source_id: this.#source },
          properties: { Name: { title: [text(mark)] }, Cost: { number: count }, Kind: { multi_select: [{ name: `k${count}` }] } },
          children: Array.from({ length: count }, () => paragraph(mark)),
        },
      }),
    )
  }

  async #ask(mark: string, count: number, send: () => Promise<Answer>): Promise<Answer> {
    this.#asked.set(mark, count)
    const answer = await send()
    if (answer.status === 200) this.#answered.add(mark)
    return answer
  }

  /** Changes one block over and over, each time to the next number. */
  async #countOn(): Promise<Answer> {
    const number = (this.#count += 1)
    const answer = await this.#caller.call('updateBlock', {
      path: { block_id: this.counter },
      body: { paragraph: { rich_text: [text(String(number))] } },
    })
    if (answer.status === 200) this.#lastCounted = number
    return answer
  }

  /** Looks through another process at what is there. */
  async check(caller: Caller): Promise<void> {
    const [counter, ...blocks] = await children(caller, this.page)
    const counted = Number(plainTexts(counter === undefined ? [] : [counter])[0])
    expect(counted).toBeGreaterThanOrEqual(this.#lastCounted)
    expect(counted).toBeLessThanOrEqual(this.#count)

    const found = new Map([...(await this.#countByMark(caller, blocks)), ...(await this.#countInRows(caller))])
    for (const mark of this.#answered) expect(found.has(mark), `${mark} was answered and is lost`).toBe(true)
    for (const [mark, count] of found) expect(count, `${mark} is half there`).toBe(this.#asked.get(mark))
  }

  async #countByMark(caller: Caller, blocks: readonly JsonObject[]): Promise<Map<string, number>> {
    const found = new Map<string, number>()
    for (const one of blocks) {
      if (one['type'] === 'child_page') {
        const { status, body } = await caller.call('retrievePage', { path: { page_id: idOf(one) } })
        expect(status).toBe(200)
        const inside = await children(caller, idOf(body))
        found.set(plainTexts(inside)[0] ?? 'empty', inside.length)
        continue
      }
      if (one['type'] === 'child_database') continue
      const mark = plainTexts([one])[0] ?? ''
      found.set(mark, (found.get(mark) ?? 0) + 1)
      if (one['type'] === 'toggle')
        expect(resultsOf((await caller.call('listBlockChildren', { path: { block_id: idOf(one) } })).body)).toHaveLength(2)
    }
    return found
  }

  /** Of each row that is found: its values, its option in the schema and its content are those of one request. */
  async #countInRows(caller: Caller): Promise<Map<string, number>> {
    const columns = await columnsOf(caller, this.#source)
    const options = (at(columns, 'Kind', 'multi_select', 'options') as JsonObject[]).map(idOf)
    const path = { data_source_id: this.#source }
    const found = new Map<string, number>()
    for (let cursor: unknown; cursor !== null;) {
      const { body } = await caller.call('queryDataSource', { path, body: cursor === undefined ? {} : { start_cursor: cursor } })
      for (const row of resultsOf(body)) {
        const inside = await children(caller, idOf(row))
        const mark = textAt(row, 'properties', 'Name', 'title', 0, 'plain_text')
        expect(at(row, 'properties', 'Cost', 'number'), mark).toBe(inside.length)
        expect(options, mark).toContain(textAt(row, 'properties', 'Kind', 'multi_select', 0, 'id'))
        found.set(mark, inside.length)
      }
      cursor = body['next_cursor']
    }
    return found
  }
}

it('kills lose no confirmed change and leave none partly made', { timeout: 3_600_000 }, async () => {
  let last: Life | undefined
  let answered = 0
  for (let kill = 0; kill <= KILLS; kill += 1) {
    const service = await runService({ DATABASE_URL: database.url, LOG_LEVEL: 'error' })
    await last?.check(service.owner)
    if (kill < KILLS) {
      const life = await Life.begin(service.owner)
      const writers = Promise.all(Array.from({ length: WRITERS }, (_, writer) => life.write(writer)))
      await life.reach(((kill + 1) * 21) % ANSWERS_MAX)
      service.kill('SIGKILL')
      await writers
      answered += life.answered
      last = life
    }
    service.kill('SIGKILL')
    expect(await service.ended).toMatchObject({ signal: 'SIGKILL' })
    expect(service.log()).toStrictEqual([])
  }
  reportKills(`${answered} writes were answered, none of them lost or half done`)
  expect(answered).toBeGreaterThan(ANSWERS_MIN)
})
