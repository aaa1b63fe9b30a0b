import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { parseObject, textAt, type JsonObject } from '../harness/json.ts'
import { startReceiver, type Receiver } from './receiver.ts'

const root = resolve(import.meta.dirname, '../..')
const TOKEN = 'itk_of_the_public_clients_0001'
/** Redirect target of the public connection. */
export const REDIRECT_URI = 'https://planner.example/callback'

export interface ServiceProcess {
  readonly url: string
  readonly token: string
  /** The credentials of a public connection. */
  readonly connection: { readonly client_id: string; readonly client_secret: string }
  /** The receiver of its webhooks. */
  readonly receiver: Receiver
  /**
   * Creates an agent with full access for the token's connection.
   * @returns its id
   */
  makeAgent(name: string): Promise<string>
  stop(): Promise<void>
}

/** The service in a separate process, with the sample workspace and the header names of the public clients. */
export async function startServiceProcess(): Promise<ServiceProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'clients-service-'))
  const databaseUrl = `sqlite:${folder}/workspace.db`
  const receiver = await startReceiver(folder)
  const child = spawn(process.execPath, ['server/main.js'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      HOST: '127.0.0.1',
      PORT: '0',
      DATABASE_URL: databaseUrl,
      FILES_URL: `file:${folder}`,
      BOOTSTRAP_TOKEN: TOKEN,
      HEADER_BRAND: 'Notion',
      RATE_LIMIT: 'off',
      WEBHOOK_PRIVATE_HOSTS: receiver.host,
      NODE_EXTRA_CA_CERTS: receiver.certFile,
    },
  })
  const url = await new Promise<string>((found, failed) => {
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-10_000)
      const address = /listens on (http\S+)/.exec(output)?.[1]
      if (address !== undefined) found(address)
    })
    child.once('exit', () => failed(new Error(`the service ended before it listened:\n${output}`)))
  })
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
    receiver.stop()
    await rm(folder, { recursive: true, force: true })
  }
  const makeAgent = async (name: string): Promise<string> => {
    const id = textAt(await command(databaseUrl, 'agent', 'create', name), 'id')
    await command(databaseUrl, 'agent', 'share', id, '--connection', exampleWorkspace.connection.id, '--level', 'full')
    return id
  }
  return { url, token: TOKEN, connection: await makeConnection(databaseUrl), receiver, makeAgent, stop }
}

/** Runs the command line on the service's database. */
async function command(databaseUrl: string, ...words: readonly string[]): Promise<JsonObject> {
  const line = ['cli/main.js', ...words, '--json', '--database', databaseUrl]
  return parseObject((await promisify(execFile)(process.execPath, line, { cwd: root })).stdout)
}

async function makeConnection(databaseUrl: string): Promise<ServiceProcess['connection']> {
  const words = ['connection', 'create', 'Tide Planner', '--kind', 'public', '--redirect-uri', REDIRECT_URI]
  const made = await command(databaseUrl, ...words)
  return { client_id: textAt(made, 'client_id'), client_secret: textAt(made, 'client_secret') }
}
