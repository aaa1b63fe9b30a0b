import { z } from 'zod'
import { recordIdIn } from '../forgiving.ts'
import { defineTool } from '../tool.ts'
import { uploadFile } from '../../../client/src/index.ts'

export const attachFileMcpTool = defineTool({
  name: 'attach_file',
  title: 'Attach a file',
  description: 'Creates a file from a text or from base64, and adds it to the end of a page.',
  operations: ['createFileUpload', 'sendFileUpload', 'appendBlockChildren'],
  input: z.object({
    page: z.string().describe('Id or URL of the page'),
    name: z.string().min(1).describe('File name with its extension, such as tides.csv'),
    text: z.string().optional(),
    base64: z.string().optional(),
  }),
  async run({ client, undo }, { page, name, text, base64 }) {
    const id = recordIdIn(page, 'page')
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
