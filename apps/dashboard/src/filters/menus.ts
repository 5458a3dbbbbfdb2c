export { DisplayMenu } from './display-menu.tsx';
export { BoardCsvButton, ShareMenu } from './share-menu.tsx';
