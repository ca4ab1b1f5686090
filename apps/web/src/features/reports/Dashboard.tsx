import { useWords } from '../../lib/words/index.ts'
import { PageHead } from '../../ui/Card.tsx'

export default function Dashboard() {
  const { titles } = useWords()
  return <PageHead title={titles['/dashboard']} />
}
