/** The people and records of spec/story.md, under the same ids: what the reference shows can be tried on the demo workspace. */
export const story = {
  workspace: { id: '62f746b4-84e6-4ceb-95bd-447e7184d454', name: 'Northshore Boatworks', icon_url: null },
  people: [
    { id: 'b61e6ba5-3682-4dd6-b804-69b84b2d451c', name: 'Ines Varga', email: 'ines@northshore.example', role: 'owner' },
    { id: 'ec7ac8ad-1b2b-406b-aae1-2c972399d29d', name: 'Tomas Reyes', email: 'tomas@northshore.example', role: 'member' },
    { id: 'dc36fc90-2248-4d70-aca4-a1a9f5b19f71', name: 'Aiko Brandt', email: 'aiko@northshore.example', role: 'member' },
  ],
  connection: { id: '54a5054c-da2e-4003-9e0e-14ca778e6176', name: 'Yard Assistant' },
  bot: { id: '8c0a70a7-a845-47f9-953a-5154281fa6f5', name: 'Yard Assistant' },
  emojis: [
    { id: 'd4ae6af5-fb68-4b68-bda0-39233dde8fcb', name: 'rope_coil' },
    { id: '5b391664-0d97-42c1-8fba-675d9f6d26b2', name: 'bowline' },
  ],
  pages: {
    handbook: '5df6f817-b099-4bcf-a0ec-6db25097c040',
    checklist: '8c3f846c-c6a9-42d3-83f8-4c485e5c4176',
    launchPlan: '3af9f30c-5a66-4477-bda9-d8c096d38ff5',
  },
  discussions: {
    launchPlan: { discussionId: 'd9fb18e8-eef6-4ac4-88b6-350eedd03c87', parentId: '3af9f30c-5a66-4477-bda9-d8c096d38ff5' },
    toDo: { discussionId: '776bfbaa-e064-4efe-b9ee-016cf3ae2104', parentId: '6c5421f1-8059-43ee-b2ec-b7d90a6fd693' },
    checklist: { discussionId: 'cdf4f949-3e8b-416d-9dc3-70ea70d5ca4e', parentId: '8c3f846c-c6a9-42d3-83f8-4c485e5c4176' },
  },
  dataSources: {
    repairJobs: 'bce1cb34-00e2-47d7-9eda-7e46a386c4a7',
    spareParts: '7592b89f-f910-468a-baee-bb48936b7ac2',
  },
  views: {
    allJobs: 'fe2fbd72-0bdc-45d3-860b-ed79214119cf',
    jobsByStatus: '04948682-4233-4b55-bff9-59b7c7fda173',
    openJobs: 'f44de53c-b721-4354-b2c8-c258df2f655b',
    repairTimeline: 'bf14ed57-9937-4ee9-8f10-6bcd47afbd90',
    damageReport: '5015d050-8f4f-45ed-adcb-145498e45b30',
    yardOverview: '1404cd3a-ec32-4b3b-837b-1bf3b938eca4',
    costByMonth: '545cdf06-409d-47fa-9b08-0845b6a30c78',
    spendingSoFar: 'a637efc3-8aba-4883-8222-74d86903e664',
    jobsInHand: '5d05ce96-3f34-4da5-b3fa-846fb6dcb1ff',
    jobsByPriority: '0b6d4a1e-5c38-4f27-9d6a-7e21c84b9f53',
    shelfList: '7776f9f0-c7e0-4896-88da-1d47e4613331',
  },
  repairLog: '670c5891-45d2-4c06-a206-02e0fc80fa6f',
} as const
