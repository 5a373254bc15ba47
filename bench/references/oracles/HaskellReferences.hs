-- runghc -package ghc HaskellReferences.hs HIE_FOLDER : from the root of a project, with Debian's `ghc`
-- What names mean in the files that GHC has compiled with `-fwrite-ide-info`, in the format of compiled-facts.ts. Local
-- names are no definitions. Not judged: pragmas, declarations of fixity, further clauses of an instance's method, equations
-- of a type family, and names that `Record {..}` binds.
module Main (main) where

import Control.Monad (filterM)
import qualified Data.ByteString as Bytes
import Data.Char (isAlphaNum)
import Data.Either (rights)
import Data.List (isInfixOf, isPrefixOf, isSuffixOf, sort, stripPrefix)
import qualified Data.Map as Map
import Data.Maybe (fromMaybe, mapMaybe)
import qualified Data.Set as Set
import qualified Data.Text as Text
import qualified Data.Text.Encoding as Text
import GHC.Data.FastString (unpackFS)
import GHC.Iface.Ext.Binary
import GHC.Iface.Ext.Types
import GHC.Types.Name
import GHC.Types.Name.Cache (initNameCache)
import GHC.Types.SrcLoc
import GHC.Types.Unique.Supply (mkSplitUniqSupply)
import GHC.Unit.Module
import System.Directory (doesDirectoryExist, doesFileExist, listDirectory)
import System.Environment (getArgs)
import System.FilePath (normalise, (</>))

-- | A name at a place of a file.
data Occurrence = Occurrence
  { named :: Name
  , place :: RealSrcSpan
  , contexts :: [ContextInfo]
  , written :: String
  }

data Source = Source
  { path :: FilePath
  , texts :: Map.Map Int String
  , pragmas :: Set.Set Int
  , occurrences :: [Occurrence]
  }

main :: IO ()
main = do
  [folder] <- getArgs
  sources <- filter (not . ("../" `isPrefixOf`) . path) <$> (mapM readSource =<< hieFiles folder)
  let modules = Map.fromList [(moduleOf name, ()) | source <- sources, name <- definedIn source]
      facts = concatMap (factsOf modules) sources
  mapM_ putStrLn (map snd (sort (dedupe facts)))
 where
  dedupe = Set.toList . Set.fromList

hieFiles :: FilePath -> IO [FilePath]
hieFiles folder = do
  names <- map (folder </>) . sort <$> listDirectory folder
  files <- filterM doesFileExist names
  folders <- filterM doesDirectoryExist names
  inner <- mapM hieFiles folders
  pure (filter (".hie" `isSuffixOf`) files ++ concat inner)

readSource :: FilePath -> IO Source
readSource file = do
  supply <- mkSplitUniqSupply 'z'
  let cache = initNameCache supply []
  result <- hie_file_result <$> readHieFile (NCU (\update -> pure (snd (update cache)))) file
  text <- Bytes.readFile (hie_hs_file result)
  let rows = Map.fromList (zip [1 ..] (lines (Text.unpack (Text.decodeUtf8With (\_ _ -> Just '?') text))))
      own (name, _) = unpackFS name == hie_hs_file result
      trees = map snd (filter own (Map.toList (getAsts (hie_asts result))))
  pure
    Source
      { path = normalise (hie_hs_file result)
      , texts = rows
      , pragmas = pragmaLines (Map.toList rows)
      , occurrences = concatMap (occurrencesIn rows) trees
      }

occurrencesIn :: Map.Map Int String -> HieAST a -> [Occurrence]
occurrencesIn rows tree = here ++ concatMap (occurrencesIn rows) (nodeChildren tree)
 where
  here =
    [ Occurrence name (nodeSpan tree) (Set.toList (identInfo details)) (textAt rows (nodeSpan tree))
    | info <- Map.elems (getSourcedNodeInfo (sourcedNodeInfo tree))
    , (Right name, details) <- Map.toList (nodeIdentifiers info)
    ]

textAt :: Map.Map Int String -> RealSrcSpan -> String
textAt rows spot = take (end - srcSpanStartCol spot) (drop (srcSpanStartCol spot - 1) row)
 where
  row = fromMaybe "" (Map.lookup (srcSpanStartLine spot) rows)
  end = if srcSpanEndLine spot == srcSpanStartLine spot then srcSpanEndCol spot else maxBound

-- | The lines that begin in a pragma, or declare a fixity.
pragmaLines :: [(Int, String)] -> Set.Set Int
pragmaLines = go False
 where
  go _ [] = Set.empty
  go inside ((number, row) : rest)
    | inside || "{-#" `isPrefixOf` start = Set.insert number (go (not ("#-}" `isInfixOf` row)) rest)
    | "infix" `isPrefixOf` start = Set.insert number (go False rest)
    | otherwise = go False rest
   where
    start = dropWhile (== ' ') row

definedIn :: Source -> [Name]
definedIn source = filter isExternalName (map named (filter (isAtDefinition source) (occurrences source)))

isAtDefinition :: Source -> Occurrence -> Bool
isAtDefinition source one = fileOf name == Just (path source) && fmap realSrcSpanStart (spanOf name) == Just start
 where
  name = named one
  start = realSrcSpanStart (place one)

moduleOf :: Name -> String
moduleOf name = unitString (moduleUnit unit) ++ ":" ++ moduleNameString (moduleName unit)
 where
  unit = nameModule name

-- | The facts of a file, each after what it is sorted by.
factsOf :: Map.Map String () -> Source -> [((Int, FilePath, Int, Int), String)]
factsOf modules source = concatMap facts (occurrences source)
 where
  facts one
    | isExternalName name = if moduleOf name `Map.member` modules then maybe [] (fact one) (kindOfUse one) else []
    | otherwise = [entry one 1 ["unjudged", keyOf field] | isUse one, field <- fromMaybe [] (Map.lookup name byWildcard)]
   where
    name = named one
  fact one "definition" = [entry one 0 ["definition", keyOf (named one), kind, plain, container (named one)]]
   where
    kind = Map.findWithDefault "function" (keyOf (named one)) kinds
    plain = plainName (named one)
  fact one use = [entry one 1 [use, keyOf (named one)]]
  entry one rank parts =
    let spot = place one
        at = path source ++ ":" ++ show (srcSpanStartLine spot) ++ ":" ++ show (srcSpanStartCol spot)
     in ((rank, path source, srcSpanStartLine spot, srcSpanStartCol spot), tabbed (parts ++ [at]))
  kindOfUse one
    | written one == ".." = Just "unjudged"
    | not (isWrittenAs one) = Nothing
    | isAtDefinition source one || any isDefining (contexts one) || isDeclared one = Just "definition"
    | any isInstanceBinding (contexts one) = Just (if isInClass one then "unjudged" else "use")
    | any isBinding (contexts one) = Just (if isFromHere one then "definition" else "unjudged")
    | srcSpanStartLine (place one) `Set.member` pragmas source = Just "unjudged"
    | any isDeclaration (contexts one) = Just "unjudged"
    | any isExportOrImport (contexts one) = Just "import"
    | otherwise = Just "use"
  isDeclared one = any isDeclaration (contexts one) && isFromHere one && (spanOf (named one) `contains` place one)
  contains (Just around) inner = around `containsSpan` inner
  contains Nothing _ = False
  isFromHere one = fileOf (named one) == Just (path source) && not (isMethod (named one))
  isMethod name = Map.lookup (keyOf name) kinds == Just "method"
  isInClass one = any (`containsSpan` place one) classes
  classes = [spot | one <- occurrences source, any isClass (contexts one), Just spot <- [spanOf (named one)]]
  kinds = Map.fromList (mapMaybe kindFact (occurrences source))
  kindFact one = (,) (keyOf (named one)) <$> (if isExternalName (named one) then kindOf one else Nothing)
  byWildcard =
    Map.fromListWith
      (++)
      [ (named one, [named other])
      | one <- dots
      , not (isExternalName (named one))
      , other <- dots
      , isExternalName (named other)
      , place one == place other
      , plainName (named one) == plainName (named other)
      ]
  dots = filter ((== "..") . written) (occurrences source)
  isUse one = Use `elem` contexts one

spanOf :: Name -> Maybe RealSrcSpan
spanOf name = case nameSrcSpan name of
  RealSrcSpan spot _ -> Just spot
  UnhelpfulSpan _ -> Nothing

fileOf :: Name -> Maybe FilePath
fileOf name = normalise . unpackFS . srcSpanFile <$> spanOf name

tabbed :: [String] -> String
tabbed = foldr1 (\one rest -> one ++ "\t" ++ rest)

container :: Name -> String
container = moduleNameString . moduleName . nameModule

keyOf :: Name -> String
keyOf name = container name ++ ":" ++ namespace ++ ":" ++ occNameString (nameOccName name)
 where
  namespace = if isTcOcc (nameOccName name) then "type" else "value"

-- | Fields of records that share the name have longer names.
plainName :: Name -> String
plainName name = maybe text (takeWhile (/= ':')) (stripPrefix "$sel:" text)
 where
  text = occNameString (nameOccName name)

-- | Whether the name is written there: the compiler adds names of its own to many places.
isWrittenAs :: Occurrence -> Bool
isWrittenAs one = name `isSuffixOf` text && not (endsWord (take (length text - length name) text))
 where
  name = plainName (named one)
  text = filter (`notElem` "()` ") (written one)
  endsWord before = not (null before) && last before /= '.' && all isAlphaNum [last before, head name]

kindOf :: Occurrence -> Maybe String
kindOf one
  | any isField (contexts one) = Just "field"
  | any isClass (contexts one) = Just "interface"
  | any isMethodSignature (contexts one) = Just "method"
  | isTcOcc (nameOccName (named one)) && any isDeclaration (contexts one) = Just "type"
  | isDataOcc (nameOccName (named one)) && any isDeclaration (contexts one) = Just "constructor"
  | otherwise = Nothing

isField, isClass, isMethodSignature, isDeclaration, isDefining, isBinding, isInstanceBinding, isExportOrImport :: ContextInfo -> Bool
isField context = case context of RecField RecFieldDecl _ -> True; _ -> False
isClass context = case context of Decl ClassDec _ -> True; _ -> False
isMethodSignature context = case context of ClassTyDecl _ -> True; _ -> False
isDeclaration context = case context of Decl _ _ -> True; _ -> False
isDefining context = case context of TyDecl -> True; _ -> isMethodSignature context || isField context
isInstanceBinding context = case context of ValBind InstanceBind _ _ -> True; _ -> False
isBinding context = case context of MatchBind -> True; ValBind {} -> True; _ -> False
isExportOrImport context = case context of IEThing _ -> True; _ -> False
