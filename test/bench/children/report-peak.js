// Preloaded into every measured process: tells its peak memory when it ends.
import process from 'node:process'

const { channel } = process
channel?.unref()
process.on('exit', () => {
  if (process.connected) process.send?.({ peak: process.resourceUsage().maxRSS })
})
