import { expect, it } from 'vitest'
import type { TestResponse } from '../harness/responses.ts'
import type { Caller } from '../harness/caller.ts'
import { append, block, children, makePage, paragraph, plainTexts, text } from '../harness/content.ts'
import { databaseOfFile } from '../harness/databases.ts'
import { columnsOf, makeDatabase as makeRows } from '../harness/databases_content.ts'
import { at, idOf, resultsOf, textAt, type JsonObject } from '../harness/json.ts'
import { killCount, REFUSALS, reportKills } from '../harness/kills.ts'
import { runService, until } from '../harness/process.ts'

/**
 * Kills a process (SIGKILL) repeatedly while it writes, on one database. Writes that it has acknowledged are complete afterwards; each
 * other request is either complete or absent.
 */

const KILLS = killCount(1)
const WRITERS = 12
const BLOCKS_MAX = 25
const ACKNOWLEDGED_MAX = 53
/** With fewer, processes would have been killed before their work, not during it. */
const ACKNOWLEDGED_MIN = 15 * KILLS

const database = await databaseOfFile()

/** All writes requested from one process, below one page. */
class Life {
  readonly page: string
  readonly counter: string
  readonly #source: string
  readonly #caller: Caller
  /** Number of blocks by the mark of a request, and which requests were acknowledged. */
  readonly #asked = new Map<string, number>()
  readonly #acknowledged = new Set<string>()
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

  get acknowledged(): number {
    return this.#acknowledged.size
  }

  /** Waits until this many requests were acknowledged, and slightly longer, so that others are in flight. */
  async reach(count: number): Promise<void> {
    await until(() => (this.acknowledged >= count ? true : undefined))
  }

  /** Writes until the process ends. */
  async write(writer: number): Promise<void> {
    for (let turn = 0; ; turn += 1) {
      const request =
        writer === 0 ? this.#countOn : ([this.#append, this.#makeRow, this.#append, this.#makePage][turn % 4] ?? this.#append)
      const response = await request
        .call(this, `${writer}-${turn}`, 1 + ((writer * 7 + turn * 5) % BLOCKS_MAX))
        .catch(() => undefined)
      if (response === undefined) return
      expect([200, ...REFUSALS], response.text).toContain(response.status)
    }
  }

  async #append(mark: string, count: number): Promise<TestResponse> {
    // Two blocks with content, then plain ones.
    const nested = [block('toggle', mark, { children: [paragraph('inside'), paragraph('inside')] })]
    return this.#ask(mark, count, () =>
      this.#caller.call('appendBlockChildren', {
        path: { block_id: this.page },
        body: { children: [...nested, ...Array.from({ length: count - 1 }, () => paragraph(mark))] },
      }),
    )
  }

  async #makePage(mark: string, count: number): Promise<TestResponse> {
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
  async #makeRow(mark: string, count: number): Promise<TestResponse> {
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

  async #ask(mark: string, count: number, send: () => Promise<TestResponse>): Promise<TestResponse> {
    this.#asked.set(mark, count)
    const response = await send()
    if (response.status === 200) this.#acknowledged.add(mark)
    return response
  }

  /** Changes one block repeatedly, each time to the next number. */
  async #countOn(): Promise<TestResponse> {
    const number = (this.#count += 1)
    const response = await this.#caller.call('updateBlock', {
      path: { block_id: this.counter },
      body: { paragraph: { rich_text: [text(String(number))] } },
    })
    if (response.status === 200) this.#lastCounted = number
    return response
  }

  /** Checks the stored data through another process. */
  async check(caller: Caller): Promise<void> {
    const [counter, ...blocks] = await children(caller, this.page)
    const counted = Number(plainTexts(counter === undefined ? [] : [counter])[0])
    expect(counted).toBeGreaterThanOrEqual(this.#lastCounted)
    expect(counted).toBeLessThanOrEqual(this.#count)

    const found = new Map([...(await this.#countByMark(caller, blocks)), ...(await this.#countInRows(caller))])
    for (const mark of this.#acknowledged) expect(found.has(mark), `${mark} was acknowledged and is lost`).toBe(true)
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

  /** Checks that the values, the option in the schema and the content of each row are from one request. */
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

it('kills of the process lose no confirmed change, and leave no change partly made', { timeout: 3_600_000 }, async () => {
  let last: Life | undefined
  let acknowledged = 0
  for (let kill = 0; kill <= KILLS; kill += 1) {
    const service = await runService({ DATABASE_URL: database.url, LOG_LEVEL: 'error' })
    await last?.check(service.owner)
    if (kill < KILLS) {
      const life = await Life.begin(service.owner)
      const writers = Promise.all(Array.from({ length: WRITERS }, (_, writer) => life.write(writer)))
      await life.reach(((kill + 1) * 21) % ACKNOWLEDGED_MAX)
      service.kill('SIGKILL')
      await writers
      acknowledged += life.acknowledged
      last = life
    }
    service.kill('SIGKILL')
    expect(await service.ended).toMatchObject({ signal: 'SIGKILL' })
    expect(service.log()).toStrictEqual([])
  }
  reportKills(`${acknowledged} writes were acknowledged, none of them lost or incomplete`)
  expect(acknowledged).toBeGreaterThan(ACKNOWLEDGED_MIN)
})
