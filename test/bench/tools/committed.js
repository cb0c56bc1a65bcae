import { readFile } from 'node:fs/promises'
import { README, sectionMarks } from './write-results.js'

/** A value counts as worse from this factor on. Below it, two runs of the same code differ. */
const NOTICEABLE = 1.15

/** The rows of one benchmark in the README; none if it was never written. */
export async function readCommitted(name, file = README) {
  const text = await readFile(file, 'utf8')
  const { start, end } = sectionMarks(name)
  const section = text.slice(text.indexOf(start), text.indexOf(end))
  const [head, , ...rows] = section.split('\n').filter((line) => line.startsWith('|'))
  if (head === undefined) return []
  const names = cellsOf(head)
  return rows.map((row) =>
    Object.fromEntries(cellsOf(row).map((cell, index) => [names[index], cell])),
  )
}

function cellsOf(line) {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
}

/** Adds to each row what is committed for it: the ratio, or the median of a row without one. */
export function withCommitted(rows, committed) {
  return pairs(rows, committed).map(({ row, old }) => ({ ...row, before: shownBefore(old) }))
}

/** The rows with a goal that got worse: they miss it now, or their ratio is noticeably further from it. */
export function findWorse(rows, committed) {
  return pairs(rows, committed)
    .filter(({ row, old }) => old !== undefined && row.must !== '' && isWorse(row, old))
    .map(({ row }) => row)
}

/** Rows of the same name are in the same order. */
function pairs(rows, committed) {
  const left = [...committed]
  return rows.map((row) => {
    const index = left.findIndex(({ What }) => What === row.what)
    return { row, old: index === -1 ? undefined : left.splice(index, 1)[0] }
  })
}

function shownBefore(old) {
  return old === undefined ? '' : old['Ratio'] || old['Median']
}

function isWorse({ ratio, must, state }, old) {
  if (state === 'short' && old[''] === 'ok') return true
  const [now, then] = [Number.parseFloat(ratio), Number.parseFloat(old['Ratio'])]
  if (Number.isNaN(now) || Number.isNaN(then)) return false
  return /^[≥>]/.test(must) ? now * NOTICEABLE < then : now > then * NOTICEABLE
}
