import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { currentBuffer, readInput, type FuzzFailure, type Message, type Order } from './orders.ts'
import type { Target } from './target.ts'
import { parseCommandLine } from '../../scripts/parse_command_line.ts'

/** `npm run fuzz -- markdown --minutes 10`; see CONTRIBUTING.md. */

const names = readdirSync(join(import.meta.dirname, 'targets')).map((file) => file.replace(/\.ts$/, ''))
const { values, positionals } = parseCommandLine(import.meta.filename, {
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '10' },
    folder: { type: 'string', default: join(import.meta.dirname, '../../.fuzz') },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    replay: { type: 'string' },
  },
})
const [target = ''] = positionals
if (!names.includes(target) || !Number.isFinite(Number(values.minutes))) {
  console.error(
    `Usage: npm run fuzz -- <target> [--minutes 10] [--folder .fuzz] [--seed 1] [--replay file]\nTargets: ${names.join(', ')}`,
  )
  process.exit(2)
}

/** Runs one unchanged input without instrumentation, so that stacks have the lines of the sources. */
async function replay(file: string): Promise<void> {
  const { target: found } = (await import(`./targets/${target}.ts`)) as { readonly target: Target }
  const start = process.cpuUsage()
  await found.check(String(JSON.parse(readFileSync(file, 'utf8'))))
  console.log(`holds, in ${Math.round(process.cpuUsage(start).user / 1000)} ms`)
}

async function fuzz(): Promise<void> {
  const order: Order = {
    target,
    folder: values.folder,
    minutes: Number(values.minutes),
    seed: Number(values.seed),
    current: currentBuffer(),
  }
  const findings = join(values.folder, target, 'findings')
  mkdirSync(findings, { recursive: true })
  console.log(`${target}, seed ${order.seed}, findings go to ${findings}`)
  const worker = new Worker(join(import.meta.dirname, 'worker.ts'), { workerData: order })
  worker.on('message', (message: Message) => {
    if (message.kind === 'finding') keep(findings, message)
    else log(message.text)
  })
  const ended = new Promise<void>((resolve, reject) => {
    worker.once('exit', () => resolve())
    worker.once('error', reject)
  })
  const watch = setInterval(() => {
    if (!isStuck(order.current)) return
    keep(findings, { cause: 'does not end', input: readInput(order.current).input, report: `ran for ${STUCK_MS} ms` })
    void worker.terminate()
  }, 1000)
  await ended
  clearInterval(watch)
  log('end')
}

/** Processor time after which a run counts as endless. */
const STUCK_MS = 30_000
let watched = { run: -1, cpu: process.cpuUsage() }

function isStuck(current: SharedArrayBuffer): boolean {
  const { run } = readInput(current)
  if (run !== watched.run) watched = { run, cpu: process.cpuUsage() }
  const { user, system } = process.cpuUsage(watched.cpu)
  return run > 0 && user + system > STUCK_MS * 1000
}

function keep(folder: string, { cause, input, report }: FuzzFailure): void {
  const name = createHash('sha256').update(cause).digest('hex').slice(0, 8)
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(input))
  writeFileSync(join(folder, `${name}.txt`), `${report}\n\n${input}\n`)
  process.exitCode = 1
  log(`FOUND ${cause}: ${join(folder, `${name}.json`)} ${JSON.stringify(input.slice(0, 200))}`)
}

let counted = process.cpuUsage()

/** Prints a line, and writes it to `log` with the processor time since the previous line. */
function log(text: string): void {
  const { user, system } = process.cpuUsage(counted)
  counted = process.cpuUsage()
  console.log(text)
  const seconds = ((user + system) / 1_000_000).toFixed(1)
  appendFileSync(join(values.folder, 'log'), `${new Date().toISOString()} ${target} ${seconds} s: ${text}\n`)
}

if (values.replay !== undefined) await replay(values.replay)
else await fuzz()
