import { describe, expect, it } from 'vitest'
import { dateIn } from '../../../archive/src/cell_texts.ts'

describe('dates in cells', () => {
  it.each([
    ['December 1, 2024', '2024-12-01', null],
    ['@Dec 1, 2024', '2024-12-01', null],
    ['1 Sept 2024', '2024-09-01', null],
    ['2024/12/01', '2024-12-01', null],
    ['December 1, 2024 3:30 PM', '2024-12-01T15:30:00', null],
    ['December 1, 2024 12:05 AM (UTC)', '2024-12-01T00:05:00Z', null],
    ['December 1, 2024 9:00 AM (GMT+2)', '2024-12-01T09:00:00+02:00', null],
    ['2024/12/01 15:30', '2024-12-01T15:30:00', null],
    ['December 1, 2024 → January 2, 2025', '2024-12-01', '2025-01-02'],
    ['December 1, 2024 9:00 AM → 10:30 AM', '2024-12-01T09:00:00', '2024-12-01T10:30:00'],
  ])('reads "%s" as a date', (text, start, end) => expect(dateIn(text)).toEqual({ start, end }))

  it.each([
    'February 30, 2024',
    'December, 2024',
    'Someday 1, 2024',
    '12/01/2024',
    'December 1, 2024 25:00',
    'May 1, 2024 → later',
    '',
  ])('leaves "%s" as text', (text) => expect(dateIn(text)).toBeUndefined())
})
