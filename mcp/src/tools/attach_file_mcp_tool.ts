import { z } from 'zod'
import { uploadFile } from '../../../client/src/index.ts'
import { recordIdIn } from '../forgiving.ts'
import { defineTool, ToolError } from '../tool.ts'
import { undoToken } from './undo_token.ts'

export const attachFileMcpTool = defineTool({
  name: 'attach_file',
  title: 'Attach a file',
  description: 'Creates a file from a text or from base64, and adds it to the end of a page.',
  operations: ['createFileUpload', 'sendFileUpload', 'appendBlockChildren'],
  input: z.object({
    page: z.string().describe('Id or URL of the page'),
    name: z.string().min(1).describe('File name with its extension, such as tides.csv'),
    text: z.string().optional(),
    base64: z.base64().optional(),
  }),
  output: z.object({ attached: z.string(), page: z.string(), undo: undoToken }),
  async run({ client, undo }, { page, name, text, base64 }) {
    const id = recordIdIn(page, 'page')
    if ((text === undefined) === (base64 === undefined)) throw new ToolError('Give either text or base64.')
    const bytes = base64 === undefined ? Buffer.from(text ?? '') : Buffer.from(base64, 'base64')
    const upload = await uploadFile(client, new File([bytes], name))
    const appended = await client.blocks.children.append({
      block_id: id,
      children: [{ file: { type: 'file_upload', file_upload: { id: upload.id } } }],
    })
    const [block] = appended.results
    const undoFile = async (): Promise<string> => {
      if (block) await client.blocks.delete({ block_id: block.id })
      return 'Removed the file from the page.'
    }
    return { attached: name, page: id, undo: undo.add(undoFile) }
  },
})
