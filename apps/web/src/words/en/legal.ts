import { BRAND, MINIMUM_AGE_YEARS } from '@parley/contract'

interface Section {
  /** The section's anchor in the address. */
  readonly id: string
  readonly title: string
  readonly paragraphs: readonly string[]
  readonly list?: readonly string[]
}

export interface LegalText {
  readonly title: string
  readonly date: string
  /** Shown first where the text is not the binding one. */
  readonly binding?: string
  readonly lead: string
  readonly contents: string
  readonly sections: readonly Section[]
}

const { product, parentCompany, supportEmail } = BRAND
const contact = `Write to ${supportEmail}.`

export const termsOfService: LegalText = {
  title: 'Terms of Service',
  date: 'Effective 28/07/2025',
  lead: `These terms are an agreement between you and ${parentCompany}, which provides ${product}. By creating an account or placing a call you accept them.`,
  contents: 'Sections of the terms',
  sections: [
    {
      id: 'eligibility',
      title: 'Who may use the service',
      paragraphs: [
        `You must be at least ${MINIMUM_AGE_YEARS} years old and able to enter into a binding contract. If you use ${product} for an organisation, you confirm that you may bind it to these terms.`,
        'The details you give when you create an account must be true, and you keep your password to yourself. What happens under your account is your responsibility.',
      ],
    },
    {
      id: 'service',
      title: 'What the service does',
      paragraphs: [
        `${product} places automated phone calls for you. An AI agent speaks with the person called, following the purpose, objectives and tone you set. Afterwards you can read the transcript and a summary.`,
        'The agent says at the start of each call that it is an AI and on whose behalf it calls. It can mishear or misunderstand: check what matters before you rely on it.',
      ],
    },
    {
      id: 'acceptable-use',
      title: 'Acceptable use',
      paragraphs: [
        'You may use the service for lawful purposes only. You are responsible for having the right to call the people you ask us to call, and for the content of those calls. In particular you must not use it for:',
      ],
      list: [
        'spam calling, or any other unsolicited bulk calling without the consent the law asks for',
        'illegal calls, including calls to people who have asked not to be called',
        'harassment, threats or abuse of any person',
        'fraud, deception, or pretending to be another person or organisation',
        'any other purpose that is unlawful where you are or where the person called is',
      ],
    },
    {
      id: 'suspension',
      title: 'Suspension and termination',
      paragraphs: [
        'Breaking the rules of acceptable use may lead to the suspension or termination of your account, without notice where people may come to harm.',
        'We may end your use of the service at any time. You may stop using it, and close your account, whenever you like.',
      ],
    },
    {
      id: 'credits',
      title: 'Credits and payment',
      paragraphs: [
        'Calls are paid for with credits, which are bought upfront by card. About one credit is used for each minute of a call, rounded up per call. New accounts receive some credits free.',
        'Credits are non-refundable, save where the law gives you a right to a refund that cannot be excluded. They cannot be exchanged for money or transferred to another account.',
      ],
    },
    {
      id: 'transcripts',
      title: 'Transcripts and recordings',
      paragraphs: [
        'Call transcripts are stored so that you can read them. By using the service you consent to the recording of your calls and to the storage of recordings and transcripts, as the privacy policy describes.',
        'Where the law asks for the consent of everyone on a call, the agent asks for it, and you must not prevent it from doing so.',
      ],
    },
    {
      id: 'as-is',
      title: 'No warranty',
      paragraphs: [
        'The service is provided as is and as available. As far as the law allows, we give no warranty that it is free of faults or interruptions, that a call will reach anyone, or that a call will achieve what you ask of it.',
        'As far as the law allows, we are not liable for indirect or consequential loss, nor for more than you paid for the service in the twelve months before the event. Nothing in these terms limits liability that cannot be limited by law.',
      ],
    },
    {
      id: 'changes',
      title: 'Changes to these terms',
      paragraphs: [
        'These terms may change at any time. The current terms always stand on this page with the date from which they apply; by using the service after that date you accept them.',
      ],
    },
    {
      id: 'law',
      title: 'Governing law',
      paragraphs: [
        'These terms are governed by the law of England and Wales, and its courts decide on disputes about them. If you are a consumer, you keep the protection of the law of the country you live in.',
      ],
    },
    { id: 'contact', title: 'Contact', paragraphs: [`Questions about these terms? ${contact}`] },
  ],
}

export const privacyPolicy: LegalText = {
  title: 'Privacy Policy',
  date: 'Last updated 2025',
  lead: `This policy says which personal data ${parentCompany} handles when you use ${product}, why, and what you can ask of us. ${parentCompany} is the controller of these data.`,
  contents: 'Sections of the policy',
  sections: [
    {
      id: 'data',
      title: 'The data we collect',
      paragraphs: [],
      list: [
        'Identity data: your name, and the company you work for where you give it',
        'Contact data: your e-mail address and phone number, and the contacts you add',
        'Call data: transcripts, recordings and metadata such as the number called, the time and the length of a call',
        'Usage data: how you use the service and its pages',
        'Technical data: your address on the internet, your browser and device, and the times of your visits',
        'Transactional data: the credits you buy and use. Card details go to our payment provider and never reach us',
        'Communications data: what you write to us and your choices about what we send you',
      ],
    },
    {
      id: 'use',
      title: 'What we use them for',
      paragraphs: ['We use personal data to:'],
      list: [
        'create your account and keep it secure',
        'place the calls you ask for and show you what came of them',
        'take payments and keep account of your credits',
        'prevent fraud, nuisance calls and other misuse',
        'answer you, and tell you about changes to the service',
        'find faults and make the service better',
      ],
    },
    {
      id: 'bases',
      title: 'The lawful bases',
      paragraphs: ['We handle personal data only where the law gives us a basis for it:'],
      list: [
        'legitimate interests: to run a secure service and to improve it, where your own interests do not outweigh ours',
        'performance of an agreement: to give you the service you signed up for',
        'legal compliance: to keep the records and respect the rules that the law sets us',
        'consent: where we ask for it, for instance before a call is recorded where the law demands that',
      ],
    },
    {
      id: 'sharing',
      title: 'Who else handles them',
      paragraphs: [
        'Providers work for us under contract and on our instructions: those that carry calls, recognise and produce speech, write summaries, take card payments, and host the service. We do not sell personal data.',
        'Where a provider is in another country, the transfer is protected by an adequacy decision or by standard contractual clauses.',
      ],
    },
    {
      id: 'retention',
      title: 'How long we keep them',
      paragraphs: [
        'Transcripts, recordings and summaries are erased after the retention time of your account. Other data are kept while your account exists, and after that only as long as the law asks, for instance for tax records.',
      ],
    },
    {
      id: 'rights',
      title: 'Your rights',
      paragraphs: ['You have the right to:'],
      list: [
        'access the personal data we hold about you',
        'have wrong data rectified',
        'have your data erased, or ported to another service',
        'withdraw a consent at any time',
        'not be subject to decisions that are based solely on automated processing and affect you significantly',
        'have the handling of your data restricted, or object to it',
      ],
    },
    {
      id: 'called',
      title: 'If we called you',
      paragraphs: [
        'The agent tells you that it is an AI and for whom it calls. Ask it to take you off the list, and your number will not be called again for that person. The rights above are yours too.',
      ],
    },
    {
      id: 'contact',
      title: 'Requests and complaints',
      paragraphs: [
        `Requests and complaints go by e-mail. ${contact} We answer within one month. You may also complain to the data protection authority of the country you live in; in the United Kingdom that is the Information Commissioner’s Office.`,
      ],
    },
  ],
}
