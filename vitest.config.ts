import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { workspaces } from './scripts/workspaces.ts'
import { LongestFirst } from './tests/harness/longest_first.ts'

/**
 * Tests of the running service. All run on SQLite, except those whose names end in the other engine. Tests that do not use a database run
 * once: they are in folders named `once`.
 */
const ofTheService = [
  'operations',
  'protocol',
  'access',
  'limits',
  'process',
  'store',
  'versions',
  'oauth',
  'events',
  'agents',
  'console',
  'archive',
].map((folder) => `tests/${folder}/{*,!(once)/**/*}.test.ts`)

/**
 * Tests that depend on the engine: storage, search, counting, locks and schedules, and a valid example of every operation. Rules that never
 * reach SQL run on PostgreSQL only with `npm run test:all`; a file with both uses `checksRules`.
 */
const dependingOnTheEngine = [
  'tests/store/{*,!(once)/**/*}.test.ts',
  'tests/agents/{damaged_work,end_turns,lease,outdated_places,pauses,schedules,triggers}.test.ts',
  'tests/events/!(agents_as_authors|comments_and_files|databases|kill|pages).test.ts',
  'tests/access/!(agent_capabilities|border_versions).test.ts',
  'tests/limits/!(admission|computed_text|rate|redis|row_size|stretches*).test.ts',
  'tests/process/{deadline,job_runners,jobs,kill,shared_database,concurrent_starts}.test.ts',
  'tests/operations/{async_tasks,search}/*.test.ts',
  'tests/operations/data_sources/{createDataSource,updateDataSource{,.many_links,.relations,.retype}}.test.ts',
  'tests/operations/sessions/{cancelSession,createSession{,.repeats,.turns},retrieveSession}.test.ts',
  'tests/operations/*/{append,list,move,query}*.test.ts',
  'tests/console/*.test.ts',
  'tests/versions/write_back.test.ts',
  'tests/protocol/{every_operation,idempotency*,list_types,paging*,rate}.test.ts',
  'tests/**/*.postgresql.test.ts',
]

/** Among the tests above, tests of requests that are refused before any statement, and of the parsing of texts and blocks. */
const rulesOfRequests = ['tests/operations/**/*.{bad_input,block_types,page_size,rich_text,uploads,words}.test.ts']

/**
 * The tested code runs as in production: in Node itself. Only the tests pass through Vite, which would take five seconds for the validators
 * alone.
 */
const root = import.meta.dirname.replaceAll(/[^\w/]/g, '\\$&')
const runByNode = new RegExp(`^${root}/(?:${workspaces.join('|')}|generated|scripts)/`)

// Workers reuse the compile cache of earlier ones: each of the nine would otherwise spend a second on compilation.
process.env['NODE_COMPILE_CACHE'] ??= `${import.meta.dirname}/node_modules/.cache/tests`

/** Tests of generated files, tools and the tree itself: each rule of the running service is also tested elsewhere. */
const ofTools = [
  'architecture',
  'bench',
  'brand',
  'browser',
  'clients',
  'dev',
  'docs',
  'fakes',
  'faults',
  'fuzz',
  'mock',
  'package',
  'spec',
  'stubs',
  'style',
].map((folder) => `tests/${folder}/**/*.test.ts`)

/** Slow tests of rarely changed code only run with `npm run test:all`. */
const ofLongRuns = '**/*.all{,.*}.test.ts'

export default defineConfig(({ mode }) => {
  const left = mode === 'all' ? [] : [ofLongRuns]
  return {
    test: {
      server: { deps: { external: [runByNode] } },
      reporters: ['default', './tests/harness/durations.ts', './tests/harness/plain_reporter.ts'],
      env: mode === 'all' ? { LONG_RUN: 'true' } : {},
      globalSetup: ['tests/harness/global_setup.ts'],
      setupFiles: ['tests/harness/setup.ts'],
      // Files of one worker share imported modules, above all the compiled contract. Compiling it again would take half of the run.
      isolate: false,
      // One more than cores: many tests wait for processes, pages and clocks.
      maxWorkers: availableParallelism() + 1,
      sequence: { sequencer: LongestFirst },
      // For tests that hang; on a busy machine the others take many times as long as on an idle one.
      testTimeout: 180_000,
      hookTimeout: 180_000,
      expect: { poll: { timeout: 60_000 } },
      projects: [
        {
          extends: true,
          test: { name: 'once', include: ['tests/**/*.test.ts'], exclude: [...ofTheService, ...ofTools, ...left] },
        },
        { extends: true, test: { name: 'tools', include: ofTools, exclude: left } },
        { extends: true, test: { name: 'sqlite', include: ofTheService, exclude: ['**/*.postgresql.test.ts', ...left] } },
        {
          extends: true,
          test: {
            name: 'postgresql',
            include: mode === 'all' ? ofTheService : dependingOnTheEngine,
            exclude: ['**/*.sqlite.test.ts', ...(mode === 'all' ? [] : rulesOfRequests), ...left],
            globalSetup: ['tests/harness/postgres.ts'],
          },
        },
      ],
    },
  }
})
