import { hydrateRoot } from 'react-dom/client';
import { Verification } from './Verification.tsx';

/** Wakes the desk that the page has rendered. */
const desk = document.querySelector<HTMLElement>('#verification');
if (desk) hydrateRoot(desk, <Verification {...JSON.parse(desk.dataset.props ?? '')} />);
