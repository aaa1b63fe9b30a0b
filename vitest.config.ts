import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { workspaces } from './scripts/workspaces.ts'
import { LongestFirst } from './tests/harness/longest_first.ts'

/**
 * Tests of the running service: all of them run on SQLite, except those whose names end in the other engine. What no database touches runs
 * once: in folders that are called so.
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
  'archive',
].map((folder) => `tests/${folder}/{*,!(once)/**/*}.test.ts`)

/**
 * Those that depend on the engine: what is stored, found, counted, locked or scheduled, and a good example of every operation. Rules that
 * never reach SQL run on PostgreSQL only with `npm run test:all`; where a file holds both, `checksRules` tells them apart.
 */
const dependingOnTheEngine = [
  'tests/store/{*,!(once)/**/*}.test.ts',
  'tests/agents/{damaged_work,end_turns,lease,outdated_places,pauses,schedules,triggers}.test.ts',
  'tests/events/!(agents_as_authors|comments_and_files|databases|kill|pages).test.ts',
  'tests/access/!(agent_capabilities|border_versions).test.ts',
  'tests/limits/!(admission|rate|redis|stretches*).test.ts',
  'tests/process/{deadline,job_deaths,job_runners,jobs,kill,kill_keys,shared_database,start_together}.test.ts',
  'tests/operations/{async_tasks,search}/*.test.ts',
  'tests/operations/data_sources/{createDataSource,updateDataSource{,.many_links,.relations,.retype}}.test.ts',
  'tests/operations/sessions/{cancelSession,createSession{,.repeats,.turns},retrieveSession}.test.ts',
  'tests/operations/*/{append,list,move,query}*.test.ts',
  'tests/versions/write_back.test.ts',
  'tests/protocol/{every_operation,idempotency*,list_types,paging*,rate}.test.ts',
  'tests/**/*.postgresql.test.ts',
]

/** Of these: what is refused before a statement is executed, and how texts and blocks are read. */
const rulesOfRequests = ['tests/operations/**/*.{bad_input,block_types,page_size,rich_text,uploads,words}.test.ts']

/** What is tested runs as it does in service: by Node itself. Only the tests pass through Vite, for which the validators alone take five seconds. */
const root = import.meta.dirname.replaceAll(/[^\w/]/g, '\\$&')
const runByNode = new RegExp(`^${root}/(?:${workspaces.join('|')}|generated|scripts)/`)

// Workers find what they load compiled by those before them: nine of them would each spend a second on it.
process.env['NODE_COMPILE_CACHE'] ??= `${import.meta.dirname}/node_modules/.cache/tests`

/** Tests of what is made of the contract, and of the tools and the tree itself: no rule of the running service is told by these alone. */
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

/** What takes long and guards what rarely changes runs only with `npm run test:all`. */
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
      // Files of one worker share what they import: the compiled contract above all. Half of the run would be compiling it again.
      isolate: false,
      // One more than cores: many tests wait for processes, pages and clocks.
      maxWorkers: availableParallelism() + 1,
      sequence: { sequencer: LongestFirst },
      // For tests that hang; on a busy machine the others take many times as long as on a quiet one.
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
