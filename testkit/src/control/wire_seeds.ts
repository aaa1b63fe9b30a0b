import type { components } from '../../../generated/control_types.ts'
import { ServiceError } from '@workspace-service/server/kernel/errors.ts'
import type { TestServer } from '../create_test_server.ts'
import { SeedError, type Seed } from '../seed/seed.ts'
import type { TestWorkspace } from '../test_workspace.ts'

type Schemas = components['schemas']

/** @throws ServiceError `object_not_found` */
export function requireTestWorkspace({ workspace, workspaces }: TestServer, id: string | undefined): TestWorkspace {
  const found = id === undefined ? workspace : workspaces.find((one) => one.id === id)
  if (!found) throw new ServiceError('object_not_found', { message: `No workspace has the id ${id}.` })
  return found
}

export async function seeded(server: TestServer, seed: object, workspaceId: string | undefined): Promise<Schemas['Seeded']> {
  const workspace = requireTestWorkspace(server, workspaceId)
  try {
    // The seed's outline has been checked; its content is checked by the requests that create it.
    const { databases, ...made } = await server.seed(seed as Seed, workspace)
    const shown = Object.entries(databases).map(([name, { id, dataSourceId }]) => [name, { id, data_source_id: dataSourceId }])
    return { object: 'seeded', ...made, databases: Object.fromEntries(shown) }
  } catch (error) {
    if (error instanceof SeedError) throw seedFailure(error)
    throw error
  }
}

/**
 * A refused seed as an error response.
 * @param place where the path of the seed is in the request
 */
export function seedFailure({ path, reason }: SeedError, place = (within: string): string => `body.${within}`): ServiceError {
  const at = place(path)
  const said = reason.startsWith('should ') ? `${at} ${reason}` : `${at}: ${reason}`
  return new ServiceError('validation_error', {
    message: `body failed validation: ${said}`,
    complaints: [{ path: at, claim: reason }],
  })
}
