import { inspectSource } from '../domain/file_uploads/import.ts'
import { sendFileUpload } from '../domain/file_uploads/send.ts'
import { completeFileUpload, createFileUpload, listFileUploads, retrieveFileUpload } from '../domain/file_uploads/uploads.ts'
import type { Handlers } from '../contract/call.ts'
import { pageRequest } from './paging.ts'

export const fileUploads = {
  listFileUploads: (call) => call.read((scope) => listFileUploads(scope, pageRequest(call.query), call.query.status)),
  createFileUpload: async (call) => {
    const sourceType = await inspectSource(call.files, call.body)
    return call.write((scope) => createFileUpload(scope, call.body, sourceType))
  },
  retrieveFileUpload: (call) => call.read((scope) => retrieveFileUpload(scope, call.path.file_upload_id)),
  sendFileUpload: (call) => call.write((scope) => sendFileUpload(scope, call.path.file_upload_id, call.body)),
  completeFileUpload: (call) => call.write((scope) => completeFileUpload(scope, call.path.file_upload_id)),
} satisfies Partial<Handlers>
