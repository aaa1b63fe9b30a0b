import { retrieveAsyncTask } from '../domain/data/index.ts'
import { read, type Handlers } from './handler.ts'

export const asyncTaskHandlers = {
  retrieveAsyncTask: read((scope, call) => retrieveAsyncTask(scope, call.path.task_id)),
} satisfies Partial<Handlers>
