import { BRAND } from '@parley/contract'
import { Link } from '@tanstack/react-router'
import { useWords } from '../../words/index.ts'
import type { LegalText } from '../../words/en/legal.ts'
import { Logo } from '../../ui/Logo.tsx'
import { Switches } from '../../ui/switches/Switches.tsx'

/** A legal text: numbered sections, with a table of contents if there is room. */
export function LegalPage({ text }: { readonly text: LegalText }) {
  const { shell, landing } = useWords()
  return (
    <div className="mx-auto max-w-5xl px-5 sm:px-8">
      <header className="flex h-18 items-center justify-between gap-4">
        <Link to="/" aria-label={shell.home} className="rounded-base">
          <Logo />
        </Link>
        <Switches />
      </header>
      <div className="gap-16 py-8 lg:grid lg:grid-cols-[minmax(0,1fr)_15rem] lg:py-12">
        <main className="max-w-[68ch]">
          <h1 className="text-2xl font-semibold">{text.title}</h1>
          <p className="mt-2 text-muted">{text.date}</p>
          {text.binding && <p className="mt-8 rounded-base bg-mint px-5 py-3">{text.binding}</p>}
          <p className="mt-8 text-lg">{text.lead}</p>
          {text.sections.map(({ id, title, paragraphs, list }, index) => (
            <section key={id} id={id} className="mt-10 scroll-mt-8">
              <h2 className="text-lg font-semibold">
                <span className="tabular mr-3 text-muted">{index + 1}</span>
                {title}
              </h2>
              {paragraphs.map((paragraph) => (
                <p key={paragraph} className="mt-3">
                  {paragraph}
                </p>
              ))}
              {list && (
                <ul className="mt-3 grid list-disc gap-2 pl-5 marker:text-brand">
                  {list.map((item) => (
                    <li key={item}>{item}</li>
                  ))}
                </ul>
              )}
            </section>
          ))}
        </main>
        <nav aria-label={text.contents} className="hidden lg:block">
          <ol className="sticky top-8 grid gap-2 border-l border-line pl-5 text-sm">
            {text.sections.map(({ id, title }) => (
              <li key={id}>
                <a href={`#${id}`} className="text-muted hover:text-ink hover:underline">
                  {title}
                </a>
              </li>
            ))}
          </ol>
        </nav>
      </div>
      <footer className="flex flex-wrap gap-x-8 gap-y-3 border-t border-line py-6 text-sm text-muted">
        <Link to="/privacy-policy" className="py-1 hover:text-ink hover:underline">
          {landing.privacy}
        </Link>
        <Link to="/terms-of-service" className="py-1 hover:text-ink hover:underline">
          {landing.terms}
        </Link>
        <a href={`mailto:${BRAND.supportEmail}`} className="py-1 hover:text-ink hover:underline">
          {landing.contact}
        </a>
      </footer>
    </div>
  )
}
