import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { insertWorkspace } from '../../server/store/workspaces.ts'
import { at, idOf, resultsOf, type JsonObject } from '../harness/json.ts'
import { JobWorld, kindOf } from '../harness/jobs.ts'
import { InProcessCommandLine } from './support.ts'

const WORKSPACE = '10000000-0000-4000-8000-000000000001'
const NOBODY = '00000000-0000-4000-8000-00000000dead'

let world: JobWorld
let cli: InProcessCommandLine
let isFixed: boolean
beforeEach(async () => {
  world = await JobWorld.make()
  const workspace = { id: WORKSPACE, name: null, icon_url: null }
  await world.database.write((db) => insertWorkspace(db, workspace, world.clock.now()))
  // The command line writes this machine's time.
  world.clock.advance(Date.now() - world.clock.now())
  cli = new InProcessCommandLine(world.url)
  isFixed = false
})
afterEach(() => world.end())

const kind = kindOf('letters', {
  pauses: [],
  run: async () => {
    if (!isFixed) throw new Error('the post\noffice is closed')
  },
})

async function makeDead(key: string): Promise<string> {
  await world.add({ kind: 'letters', workspaceId: WORKSPACE, key, payload: { to: key } })
  expect(await world.step(kind)).toMatchObject([{ fate: 'dead' }])
  const dead = resultsOf(await cli.json('job', 'list', '--dead'))
  return idOf(dead.find((job) => job['key'] === key))
}

const list = async (...words: string[]): Promise<JsonObject[]> => resultsOf(await cli.json('job', 'list', ...words))

describe('a job', () => {
  it('is listed by kind and state while it is unfinished or dead', async () => {
    const dead = await makeDead('Mara')
    await world.add({ kind: 'letters', key: 'Tomas', dueTime: world.clock.now() + 60_000 })
    await world.add({ kind: 'others' })
    expect((await list()).map((job) => [job['kind'], job['state']])).toEqual([
      ['letters', 'waiting'],
      ['others', 'waiting'],
      ['letters', 'dead'],
    ])
    expect((await list('--kind', 'letters')).map(({ state }) => state)).toEqual(['waiting', 'dead'])
    expect(await list('--kind', 'letters', '--dead')).toEqual([
      {
        id: dead,
        kind: 'letters',
        state: 'dead',
        workspace_id: WORKSPACE,
        key: 'Mara',
        attempts: 1,
        interruptions: 0,
        due_time: new Date(world.clock.now()).toISOString(),
        error: 'the post\noffice is closed',
      },
    ])
    expect(await list('--limit', '1')).toHaveLength(1)
    const { output } = await cli.run(['job', 'list', '--dead'])
    expect(output).toMatch(new RegExp(`^ID .*\\n${dead} +letters +dead .* 1 +the post office is closed\\n$`))
    expect((await cli.run(['job', 'list', '--kind', 'nothing'])).output).toBe('No matching jobs.\n')
  })

  it('is shown with its payload', async () => {
    const id = await makeDead('Mara')
    expect(await cli.json('job', 'show', id)).toMatchObject({ id, state: 'dead', payload: { to: 'Mara' } })
    await world.add({ kind: 'others' })
    const own = (await list('--kind', 'others')).map(idOf)[0] ?? ''
    expect(await cli.json('job', 'show', own)).toMatchObject({ id: own, kind: 'others', workspace_id: null })
    expect((await cli.run(['job', 'show', id])).output).toMatch(/^Payload: +\{"to":"Mara"\}\nError: +the post$/m)
  })

  it('that is dead is queued again with no attempts used, unless a job of the same kind and key is queued', async () => {
    const ids = [await makeDead('Mara'), await makeDead('Tomas')]
    await world.add({ kind: 'letters', workspaceId: WORKSPACE, key: 'Tomas' })
    expect(await cli.refusal(['job', 'retry', ...ids], 1)).toContain(`The job ${ids[1]} cannot be retried`)
    expect((await world.jobs()).map(({ state }) => state)).toEqual(['dead', 'dead', 'waiting'])
    isFixed = true
    await world.step(kind)
    expect(await cli.json('job', 'retry', ...ids)).toEqual({ retried: ids })
    expect((await world.jobs()).map(({ state, attempts }) => [state, attempts])).toEqual([
      ['waiting', 0],
      ['waiting', 0],
    ])
    world.clock.advance(60_000)
    await world.step(kind)
    expect(await world.jobs()).toEqual([])
  })

  it('that is dead can be deleted, but a waiting job cannot', async () => {
    const id = await makeDead('Mara')
    expect((await cli.run(['job', 'delete', id])).output).toBe(`Deleted: ${id}\n`)
    await world.add({ kind: 'letters' })
    const waiting = String(at((await list())[0], 'id'))
    for (const verb of ['delete', 'retry'])
      expect(await cli.refusal(['job', verb, waiting], 1)).toContain('is waiting; only dead jobs can be')
    expect(await world.jobs()).toHaveLength(1)
  })

  it.each([
    [['job', 'show', NOBODY], 1, /No job has .* Finished jobs are deleted/],
    [['job', 'retry', NOBODY], 1, /No job has the id/],
    [['job', 'delete', 'x'], 2, /is not the id of a job/],
    [['job', 'list', '--limit', '0'], 2, /whole number from 1 to 10000/],
  ])('is neither shown nor changed by a command with an unknown id or an invalid argument: %j', async (words, code, message) => {
    expect(await cli.refusal(words, code)).toMatch(message)
  })
})
