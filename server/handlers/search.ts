import { search } from '../domain/data/index.ts'
import { read, type Handlers } from './handler.ts'
import { pageRequest } from './paging.ts'

export const searchHandlers = {
  search: read((scope, call) => search(scope, call.body ?? {}, pageRequest(call.body ?? {}, 'body'))),
} satisfies Partial<Handlers>
