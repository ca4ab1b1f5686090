import { drawPictures } from './drawing.ts'
import { syncProjects } from './sync.ts'

// npm run mobile:sync [-- --next-build], npm run mobile:pictures

const [command, ...options] = process.argv.slice(2)
try {
  if (command === 'pictures') console.log(await drawPictures())
  else if (command === 'sync') console.log(await syncProjects({ isNextBuild: options.includes('--next-build') }))
  else throw new Error('Say sync or pictures.')
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
