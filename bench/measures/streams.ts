import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { request as httpRequest, type ClientRequest } from 'node:http'
import { join } from 'node:path'
import { newestRelease } from '../../generated/operations.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { parseConfig } from '../../server/config.ts'
import { openDatabase } from '../../server/store/open.ts'
import { insertSession, untouchedSession } from '../../server/store/sessions.ts'
import { TOKEN } from '../databases/api.ts'
import { cacheFolder } from '../databases/prepare.ts'
import { launch } from '../processes/launch.ts'
import { serviceLaunch } from '../subjects/service.ts'

/** The cost of many open streams in one process. */
export interface StreamFigures {
  readonly open: number
  /** Milliseconds from the request to the first frame, of each stream in turn. */
  readonly firstFrame: readonly number[]
  readonly residentBytes: number
}

const STREAMS = 1_000
const SETTLE_MS = 3_000

/** Follows many sessions with running turns, each by its own stream. */
export async function measureStreams(): Promise<StreamFigures> {
  const file = join(cacheFolder, `streams-${process.pid}.db`)
  const how = serviceLaunch(`sqlite:${file}`)
  try {
    // The first start creates the workspace; the sessions are inserted while the service is stopped.
    await (await launch(how)).stop()
    const sessions = await fill(`sqlite:${file}`)
    const service = await launch(how)
    const [open, firstFrame]: [ClientRequest[], number[]] = [[], []]
    for (const session of sessions) {
      const start = performance.now()
      open.push(await follow(service.url, session))
      firstFrame.push(performance.now() - start)
    }
    await new Promise((later) => setTimeout(later, SETTLE_MS))
    const { residentBytes } = service.figures()
    for (const request of open) request.destroy()
    await service.stop()
    return { open: open.length, firstFrame, residentBytes }
  } finally {
    for (const suffix of ['', '-wal', '-shm']) await rm(file + suffix, { force: true })
  }
}

async function fill(url: string): Promise<string[]> {
  const database = openDatabase(parseConfig({ DATABASE_URL: url }).database)
  const ids = Array.from({ length: STREAMS }, () => randomUUID())
  const now = Date.now()
  await database.write(async (db) => {
    for (const id of ids) {
      await insertSession(db, exampleWorkspace.workspace.id, {
        id,
        agent_id: randomUUID(),
        owner_id: null,
        title: 'Ahoy',
        status: 'in_progress',
        creator_id: exampleWorkspace.bot.id,
        creator_kind: 'bot',
        agent_version: null,
        models: '{"type":"auto"}',
        trigger_type: 'chat',
        type_label: 'chat',
        ...untouchedSession,
        created_time: now,
        updated_time: now,
      })
    }
  })
  await database.close()
  return ids
}

/** @returns the request, after the first frame */
function follow(url: string, id: string): Promise<ClientRequest> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${url}/v1/sessions`, {
      method: 'POST',
      agent: false,
      headers: {
        Authorization: `Bearer ${TOKEN}`,
        'Service-Version': newestRelease,
        'Content-Type': 'application/json',
        Accept: 'text/event-stream',
      },
    })
    request.once('error', reject)
    request.once('response', (response) => {
      response.on('error', () => undefined)
      response.once('data', () => {
        if (response.statusCode === 200) resolve(request)
        else reject(new Error(`the status of a stream was ${response.statusCode}`))
      })
    })
    request.end(JSON.stringify({ session_id: id, continue_from: '0' }))
  })
}
