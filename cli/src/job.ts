import { deleteJob, listJobs, retryJob, showJob, type ListedJob } from '@workspace-service/server/domain/administration/index.ts'
import { readJson } from '@workspace-service/server/store/stored/read_json.ts'
import { wholeNumberOption } from './arguments.ts'
import { parseId } from './command_context.ts'
import { details, timestamp, when, type JsonResult } from './output.ts'
import type { ServiceCommand } from './service_command.ts'

interface ListOptions {
  readonly kind?: string
  readonly dead?: true
  readonly limit: number
}

const LIMIT = 100
const LIMIT_MAX = 10_000
const ERROR_LENGTH = 60

export function addJobCommands(program: ServiceCommand): void {
  const job = program.command('job').description('background jobs')
  addListCommand(job)
  job
    .command('show <job>')
    .description('show a job with its payload and the error of its last attempt')
    .run(async (context, text: string) => {
      const found = await context.read((db) => showJob(db, parseId(text, 'a job', 'job list')))
      const { payload } = found
      context.result({ ...resultOf(found), payload: readJson('jobs.payload', found.id, payload) as JsonResult }, () =>
        details([
          ['ID', found.id],
          ['Kind', found.kind],
          ['State', found.state],
          ['Due', when(found.dueTime)],
          ['Attempts', String(found.attempts)],
          ['Interruptions', String(found.interruptions)],
          ['Workspace', found.workspaceId ?? '-'],
          ['Key', found.key ?? '-'],
          ['Payload', payload],
          ['Error', found.error ?? '-'],
        ]),
      )
    })
  addDeadCommand(job, 'retry')
  addDeadCommand(job, 'delete')
}

function addListCommand(job: ServiceCommand): void {
  job
    .command('list')
    .description('list jobs that are unfinished or dead')
    .option('-k, --kind <kind>', 'only jobs of this kind')
    .option('--dead', 'only dead jobs: those whose last attempt has failed')
    .option('--limit <number>', 'maximum number of jobs', wholeNumberOption(1, LIMIT_MAX), LIMIT)
    .run(async (context, filter: ListOptions) => {
      const jobs = await context.read((db) => listJobs(db, filter))
      context.list(
        jobs,
        resultOf,
        'No matching jobs.',
        ['ID', 'KIND', 'STATE', 'DUE', 'ATTEMPTS', 'ERROR'],
        ({ id, kind, state, dueTime, attempts, error }) => [
          id,
          kind,
          state,
          when(dueTime),
          String(attempts),
          (error ?? '').replaceAll(/\s+/g, ' ').slice(0, ERROR_LENGTH),
        ],
      )
    })
}

function addDeadCommand(job: ServiceCommand, verb: 'retry' | 'delete'): void {
  const done = verb === 'retry' ? 'retried' : 'deleted'
  job
    .command(`${verb} <job...>`)
    .description(verb === 'retry' ? 'retry dead jobs, with as many attempts as a new job has' : 'delete dead jobs')
    .example(`job ${verb} 4f7c2a1e-9b3d-4e58-8a60-d1c5b7e92f34`)
    .run(async (context, texts: readonly string[]) => {
      const ids = texts.map((one) => parseId(one, 'a job', 'job list'))
      await context.write(
        async (db) => {
          const jobs: ListedJob[] = []
          for (const id of ids) jobs.push(await (verb === 'retry' ? retryJob(db, id, Date.now()) : deleteJob(db, id)))
          return jobs
        },
        (jobs) => jobs.map(({ id, kind, workspaceId }) => ({ workspaceId, id, name: kind })),
      )
      context.result({ [done]: ids }, () => ids.map((id) => `${verb === 'retry' ? 'Will be retried' : 'Deleted'}: ${id}`))
    })
}

function resultOf({ id, kind, state, workspaceId, key, attempts, interruptions, dueTime, error }: ListedJob): JsonResult {
  return { id, kind, state, workspace_id: workspaceId, key, attempts, interruptions, due_time: timestamp(dueTime), error }
}
