import { join, resolve } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { coverage, literalsSeen, watch } from './coverage.ts'
import { Corpus } from './corpus.ts'
import { Fuzzer } from './fuzzer.ts'
import { Random } from './random.ts'
import { writeInput, type Message, type Order } from './orders.ts'
import type { Target } from './target.ts'

const order = workerData as Order
const root = resolve(import.meta.dirname, '../..')
const WATCHED = ['server', 'generated/validators.js', 'node_modules/markdown-it', 'node_modules/@fastify/busboy'].map((path) =>
  join(root, path),
)

function post(message: Message): void {
  parentPort?.postMessage(message)
}

watch((path) => WATCHED.some((start) => path.startsWith(start)))
const { target } = (await import(`./targets/${order.target}.ts`)) as { readonly target: Target }
/** As many of the target's own words as of those that its code compares with, which are far more numerous. */
function balanced(words: readonly string[], literals: readonly string[]): string[] {
  return [...literals, ...Array.from({ length: Math.ceil(literals.length / words.length) }, () => words).flat()]
}

const corpus = new Corpus(join(order.folder, order.target, 'corpus'))
const fuzzer = new Fuzzer(target, {
  corpus,
  random: new Random(order.seed),
  words: balanced(target.words, literalsSeen()),
  onRun: (input) => writeInput(order.current, input),
  onFinding: (finding) => post({ kind: 'finding', ...finding }),
})

const REPORT_MS = 10_000
await fuzzer.start()
const end = Date.now() + order.minutes * 60_000
while (Date.now() < end) {
  const [start, runs] = [Date.now(), fuzzer.runs]
  while (Date.now() < Math.min(end, start + REPORT_MS)) await fuzzer.runSome(20)
  const perSecond = Math.round(((fuzzer.runs - runs) * 1000) / (Date.now() - start))
  const { branches, of } = coverage()
  post({
    kind: 'progress',
    text: `${fuzzer.runs} runs, ${perSecond}/s, ${branches} of ${of} branches, ${corpus.size} inputs, ${fuzzer.findings} findings`,
  })
}
// Targets may have open servers.
process.exit()
