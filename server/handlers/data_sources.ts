import { createDataSource } from '../domain/data_sources/create.ts'
import { retrieveDataSource } from '../domain/data_sources/data_sources.ts'
import type { Handlers } from '../contract/call.ts'

export const dataSources = {
  createDataSource: (call) => call.write((scope) => createDataSource(scope, call.body)),
  retrieveDataSource: (call) => call.read((scope) => retrieveDataSource(scope, call.path.data_source_id)),
} satisfies Partial<Handlers>
