import { search } from '../domain/search/search.ts'
import type { Handlers } from '../contract/call.ts'
import { pageRequest } from './paging.ts'

export const titleSearch = {
  search: (call) => call.read((scope) => search(scope, call.body ?? {}, pageRequest(call.body ?? {}, 'body'))),
} satisfies Partial<Handlers>
