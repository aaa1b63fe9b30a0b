import {
  inspectSource,
  sendFileUpload,
  completeFileUpload,
  createFileUpload,
  listFileUploads,
  retrieveFileUpload,
} from '../domain/files/index.ts'
import { read, write, writeAfter, type Handlers } from './handler.ts'
import { pageRequest } from './paging.ts'

export const fileUploadHandlers = {
  listFileUploads: read((scope, call) => listFileUploads(scope, pageRequest(call.query), call.query.status)),
  createFileUpload: writeAfter(
    ({ imports }, call) => inspectSource(imports, call.body),
    (scope, call, sourceType) => createFileUpload(scope, call.body, sourceType),
  ),
  retrieveFileUpload: read((scope, call) => retrieveFileUpload(scope, call.path.file_upload_id)),
  sendFileUpload: write((scope, call) => sendFileUpload(scope, call.path.file_upload_id, call.body)),
  completeFileUpload: write((scope, call) => completeFileUpload(scope, call.path.file_upload_id)),
} satisfies Partial<Handlers>
