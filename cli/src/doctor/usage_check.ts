import { findMiscounts, usageKinds } from '@workspace-service/server/domain/administration/index.ts'
import { schemaState } from '@workspace-service/server/store/migrations.ts'
import { ok, problem, skipped, type CheckInput, type DoctorFinding } from './finding.ts'

const CHECK = 'usage'

/** Whether the counters of the workspaces' contents are right. */
export async function checkUsage({ database }: CheckInput): Promise<DoctorFinding> {
  if (database === undefined) return skipped(CHECK, 'not checked without a database')
  if ((await schemaState(database)).pending.length > 0)
    return skipped(CHECK, 'not checked, because the schema is older than this release')
  const [first, ...others] = await findMiscounts(database)
  if (!first) return ok(CHECK, 'the counters of all workspaces are correct')
  const kinds = usageKinds.filter((kind) => first.counted[kind] !== first.found[kind])
  const differences = kinds.map((kind) => `${first.found[kind]} ${kind}, counted as ${first.counted[kind]}`)
  const more = others.length === 0 ? '' : `; so are those of ${others.length} more`
  return problem(
    CHECK,
    `the counters of the workspace ${first.workspaceId} are wrong: ${differences.join('; ')}${more}`,
    `Run: workspace-service workspace quota ${first.workspaceId} --recount`,
  )
}
