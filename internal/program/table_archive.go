package program

// packer are the options of gzip and of its like, without those with which
// they only read.
const packer = "version~ r,recursive S,suffix= # T,threads= o=write n N 9 1"

// packing is what gzip and its like do that only reads.
var packing = &Reading{
	Leading: true, Operands: "path", Check: "toOutput", Source: "gzip(1) 1.12, bzip2(1) 1.0.8, xz(1) 5.4, zstd(1) 1.5",
	Options: "c,stdout,to-stdout*read d,decompress,uncompress l,list*read t,test*read f,force k,keep q,quiet " +
		"v,verbose h,help~",
	Proved: []string{"gzip -dc f.gz | head", "gzip -l f.gz", "xz -dc f.xz", "zstd -dc f.zst", "gunzip -c f.gz"},
	Not: []string{"gzip f", "gzip -d f.gz", "xz -dk f.xz", "zstd -dc f -o g", "unzstd -t -fd f.zst", "xz -t -d " +
		"f.xz", "zstd --rm -c f", "gzip -dc f > g", "gzip f -c"},
}

// archivers look into archives and binaries.
var archivers = []*Program{
	{Names: "zcat gzcat bzcat xzcat zstdcat",
		Kinds: "zcat,gzcat:turns=gunzip bzcat:turns=bunzip2 zcat,gzcat,bzcat:output=filter " +
			"zcat,gzcat,bzcat,xzcat,zstdcat:unpacks",
		Output: Contents, Operands: "read*",
		Reads: &Reading{Source: "gzip(1) 1.12, bzip2(1) 1.0.8, xz(1) 5.4, zstd(1) 1.5", Options: "f q v h,help~ " +
			"V,version~",
			Proved: []string{"zcat app.log.1.gz | grep ERROR", "xzcat f.xz", "zcat -- *.gz"},
			Not:    []string{"zcat -S x f", "zcat $f", "zcat *.gz", "zcat f.gz > f"},
		}},
	{Names: "gzip gunzip", Kinds: "gzip:turns=gzip gunzip:turns=gunzip output=filter unpacks",
		Tells: tells, showing: showing{Edits: true}, Output: encoded, Operands: "write*",
		copying: copying{Suffix: ".gz"}, Options: packer, Reads: packing},
	{Names: "bzip2 bunzip2", Kinds: "bunzip2:turns=bunzip2 bunzip2:output=filter bunzip2:unpacks",
		Tells: tells, showing: showing{Edits: true}, Output: encoded, Operands: "write*",
		copying: copying{Suffix: ".bz2"}, Options: packer, Reads: packing},
	{Names: "xz unxz", Kinds: "unpacks", Tells: tells, showing: showing{Edits: true}, Output: encoded,
		Operands: "write*",
		copying:  copying{Suffix: ".xz"}, Options: packer, Reads: packing},
	{Names: "zstd unzstd", Kinds: "zstd:keeps?!--rm unpacks",
		Tells: tells, showing: showing{Edits: true}, Output: encoded, Operands: "write*",
		copying: copying{Suffix: ".zst"}, Options: packer, Reads: packing},
	// With a compressed archive it runs gzip, bzip2, xz or zstd.
	{Names: "tar bsdtar gtar", Same: "gtar",
		Kinds: "tapes tar,bsdtar:packs-away?:remove-files tar,bsdtar:config=exec tar,bsdtar:members " +
			"tar,bsdtar:dir=C tar,bsdtar:names?:T,:files-from",
		Inside: &Inside{Names: "tar", Manner: "fills", Check: "extracts", Plants: true, Under: "puts " +
			"create", Options: "c create exclude x extract get z gzip j bzip2 J xz zstd v verbose f file C directory " +
			"strip-components no-same-owner"},
		Variables: "TAR_OPTIONS!options",
		Tells:     tells, Loads: "-P --absolute-names --absolute-paths -T --files-from",
		copying: copying{Inward: "list extract diff"},
		listing: listing{Recursive: true}, Output: encoded, Operands: "read*",
		filling: filling{Fills: "C", FillsIf: "extract", FillsNot: "to-stdout"},
		Options: help + "A,catenate,concatenate c,create d,diff,compare r,append u,update delete Z,compress lzma " +
			"I,use-compress-program=text to-command=text F,info-script,new-volume-script=text checkpoint? " +
			"checkpoint-action=config rsh-command=text rmt-command=text T,files-from=read X,exclude-from=read " +
			"k,keep-old-files P,absolute-names p,preserve-permissions transform= s,preserve-order,same-order " +
			"h,dereference remove-files*move m,touch o,no-same-owner same-owner overwrite N,newer= W,verify " +
			"one-file-system K= b= owner= group= mode= sort= mtime=",
		Reads: &Reading{
			Operands: "data", Check: "tarLook", Source: "tar(1) 1.34",
			Options: "t,list x,extract,get*data O,to-stdout f,file=write v,verbose z,gzip j,bzip2 J,xz zstd " +
				"a,auto-compress C,directory=dir wildcards exclude= numeric-owner full-time strip-components= " +
				"no-recursion n",
			Proved: []string{"tar -tf a.tar", "tar tzf a.tgz | head", "tar -xOf a.tar f", "tar --list -f " +
				"a.tar", "tar tvf a.tar.gz src/main.go"},
			Not: []string{
				"tar -xf a.tar", "tar cf a.tar f", "tar -I ./p -tf a.tar", "tar -tf a.tar --to-command=./p", "tar " +
					"-tf host:a.tar", "tar t", "tar tf *.tar", "tar tf a.tar --checkpoint-action=exec=./p",
				"tar xf a.tar", "tar tf", "tar tfI a.tar ./p", "tar -tf a.tar > f",
			},
		},
	},
	{Names: "unzip", Secrets: "P",
		Inside: &Inside{Manner: "fills", Check: "extracts", Plants: true, Options: "o n q d"},
		Loads:  "-:", Operands: "read data*", filling: filling{Fills: "d"},
		Options: "d=write o n j x= u f a b L P=",
		Reads: &Reading{Leading: true, Operands: "path", Check: "zipLook", Source: "unzip(1) 6.0", Options: "l~ p~ c " +
			"t~ v~ Z~ q 1 2 s m h z C",
			Proved: []string{"unzip -l a.zip", "unzip -p a.zip f", "unzip -Z1 a.zip"},
			Not: []string{"unzip a.zip", "unzip -lT a.zip", "unzip -l a.zip -d d", "unzip -o a.zip", "unzip " +
				"$f", "unzip -p a.zip > f"},
		}},
	{Names: "zipinfo", Operands: "read*", Reads: &Reading{Source: "zipinfo(1) 3.0", Options: "1 2 s m l v h t z T C",
		Proved: []string{"zipinfo -1 a.zip", "zipinfo a.zip", "zipinfo -v a.zip"},
		Not:    []string{"zipinfo -x", "zipinfo $f", "zipinfo a.zip > f"},
	}},
	{Names: "strings", Kinds: "streams=some blind", Output: Contents, Operands: "read*",
		Reads: &Reading{Free: true, Response: true, Source: "strings(1) binutils 2.40", Options: "a,all d,data " +
			"f,print-file-name n,bytes= t,radix= e,encoding= o w,include-all-whitespace #",
			Proved: []string{"strings bin", "strings -n 8 bin", "strings -a bin | head"},
			Not:    []string{"strings -T x f", "strings @.env", "strings .env"},
		}},
	{Names: "nm size", Operands: "read*",
		Reads: &Reading{Response: true, Source: "nm(1), size(1) binutils 2.40", Options: "A,print-file-name " +
			"a,debug-syms C demangle? D,dynamic g,extern-only n,numeric-sort p,no-sort r,reverse-sort S,print-size " +
			"u,undefined-only defined-only size-sort B d o x t,totals j",
			Proved: []string{"nm bin | grep main", "nm -gC lib.a", "nm -D lib.so", "size bin"},
			Not:    []string{"nm --plugin=./p.so f", "nm -l f", "nm @f", "nm *", "size f > g"},
		}},
	{Names: "objdump", Operands: "read*",
		Reads: &Reading{Response: true, Source: "objdump(1) binutils 2.40", Options: "d,disassemble " +
			"D,disassemble-all f,file-headers h,section-headers,headers p,private-headers r,reloc R,dynamic-reloc " +
			"s,full-contents t,syms T,dynamic-syms x,all-headers C demangle? j,section= M,disassembler-options= " +
			"w,wide start-address= stop-address= no-show-raw-insn",
			Proved: []string{"objdump -d bin | head -50", "objdump -h bin", "objdump -t -j .text lib.o"},
			Not: []string{"objdump -S bin", "objdump -l bin", "objdump @f", "objdump -WK bin", "objdump --plugin " +
				"x f"},
		}},
	{Names: "readelf", Operands: "read*",
		Reads: &Reading{Response: true, Source: "readelf(1) binutils 2.40", Options: "a,all h,file-header " +
			"l,program-headers S,section-headers s,syms,symbols d,dynamic n,notes r,relocs e,headers W,wide " +
			"V,version-info A,arch-specific x,hex-dump= p,string-dump= C demangle?",
			Proved: []string{"readelf -d lib.so", "readelf -a bin | head", "readelf -h bin"},
			Not:    []string{"readelf -w bin", "readelf @f", "readelf -wK f", "readelf $f"},
		}},
	{Names: "openssl", Kinds: "decodes?-d takes?s_client turns=openssl output=filter encrypts pipes-to-port",
		Tells:  tells,
		Output: Contents, asking: asking{Channel: Files, Network: "s_client"}, Style: Words, Operands: "data*",
		Options: "in=read out=write inkey=read key=read keyout=write cert=read CAfile=read config=read pass= passin= " +
			"passout= connect=host subj= days= newkey= noout text nodes x509 new writerand=write CAkeyout=write",
		Reads: &Reading{
			Source: "openssl-x509(1) 3.0",
			Proved: []string{"openssl x509 -in cert.crt -noout -dates", "openssl dgst -sha256 f", "openssl version"},
			Not: []string{"openssl x509 -in f -out g", "openssl s_client -connect h:443", "openssl x509 -in " +
				"org.openssl.engine:./p:k", "openssl enc -d -in f", "openssl dgst -engine ./p f", "openssl x509 -in " +
				"f -engine p"},
		},
		Subs: []*Program{
			{Names: "x509", Style: Words,
				Reads: &Reading{Check: "x509Input", Options: "in=read noout text subject issuer dates startdate " +
					"enddate serial fingerprint ext= inform= sha1 sha256 purpose hash email"}},
			{Names: "dgst", Style: Words, Operands: "read*",
				Reads: &Reading{Check: "x509Input", Options: "md5 sha1 sha224 sha256 sha384 sha512 r c hex"}},
			{Names: "version", Style: Words, Reads: &Reading{Options: "a v"}},
		},
	},
	{Names: "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum shasum", Operands: "read*",
		Reads: &Reading{Free: true, Source: coreutils, Options: help + "b,binary c,check tag t,text z,zero " +
			"ignore-missing quiet status strict w,warn a,algorithm= l,length=",
			Proved: []string{"sha256sum f", "md5sum *.go", "sha256sum -c sums"},
			Not:    []string{"md5sum -x", "sha1sum .env", "md5sum f > g"},
		}},
	{Names: "md5", Operands: "read*", Reads: &Reading{Free: true, Source: "md5(1) macOS 14", Options: "q r n s=",
		Proved: []string{"md5 f", "md5 -q f", "md5 *.zip"},
		Not:    []string{"md5 -x", "md5 .env", "md5 f > g"},
	}},
	{Names: "base64 base32",
		Kinds:    "decodes?-d,-D,--decode,-di,-id base64:turns=base64 base32:turns=base32 base64:streams output=filter",
		Output:   encoded,
		Operands: "read*", Options: "o,output=write ",
		Reads: &Reading{Max: 1, Source: coreutils, Options: help + "d,decode D i,ignore-garbage w,wrap=",
			Proved: []string{"base64 f", "echo aGk= | base64 -d", "base64 -w0 ./f"},
			Not:    []string{"base64 -o f", "base64 .env", "base64 $f"},
		}},
}
