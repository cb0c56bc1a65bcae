// Preloaded into a process under test: kills it at the write that KILL_AT counts, from 1. Each file is two
// writes: half of its content, and its name.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import process from 'node:process'

const { open, rename } = fs.promises
let left = Number(process.env.KILL_AT)
const reach = () => {
  left--
  if (left === 0) process.kill(process.pid, 'SIGKILL')
}

fs.promises.open = async (path, flags, ...options) => {
  const file = await open(path, flags, ...options)
  if (flags !== 'wx') return file
  const { writeFile } = file
  file.writeFile = async (content) => {
    if (left === 1) await file.write(Buffer.from(content).subarray(0, content.length / 2))
    reach()
    return writeFile.call(file, content)
  }
  return file
}
fs.promises.rename = async (...paths) => {
  await rename(...paths)
  reach()
}
syncBuiltinESMExports()
