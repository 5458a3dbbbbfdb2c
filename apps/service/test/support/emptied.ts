export { emptyLog } from '@shiplog/testing';
